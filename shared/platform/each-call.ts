import type { Clock } from './clock.ts';
import { describe, type Fields, log, withFields } from './logger.ts';

/**
 * A handler that logs one line for each call: what `summarise` returns for the answer, or the error, and the
 * milliseconds that it took. An error is thrown on; the Lambda runtime logs it as an ERROR of its own.
 */
export function eachCall<Answer>(
  name: string,
  clock: Clock,
  handle: (event: unknown) => Promise<Answer>,
  summarise: (answer: Answer) => Fields,
) {
  return (event: unknown): Promise<Answer> =>
    withFields({ call: name }, async () => {
      const startedAt = clock.now().getTime();
      try {
        const answer = await handle(event);
        log.info('CALL_DONE', { ...summarise(answer), milliseconds: clock.now().getTime() - startedAt });
        return answer;
      } catch (error) {
        log.info('CALL_FAILED', { cause: describe(error), milliseconds: clock.now().getTime() - startedAt });
        throw error;
      }
    });
}
