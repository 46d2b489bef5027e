import type { Clock } from './clock.ts';
import { describe, type Fields, log, withFields } from './logger.ts';

/**
 * A handler that leaves one line of each of its calls: what `tell` says of the answer, or why there was none, and how
 * many milliseconds it took. What is thrown is thrown on; the Lambda runtime reports it as an ERROR of its own.
 */
export function eachCall<Answer>(
  name: string,
  clock: Clock,
  handle: (event: unknown) => Promise<Answer>,
  tell: (answer: Answer) => Fields,
) {
  return (event: unknown): Promise<Answer> =>
    withFields({ call: name }, async () => {
      const startedAt = clock.now().getTime();
      try {
        const answer = await handle(event);
        log.info('CALL_DONE', { ...tell(answer), milliseconds: clock.now().getTime() - startedAt });
        return answer;
      } catch (error) {
        log.info('CALL_FAILED', { cause: describe(error), milliseconds: clock.now().getTime() - startedAt });
        throw error;
      }
    });
}
