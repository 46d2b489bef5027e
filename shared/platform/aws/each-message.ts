import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { idsIn } from '#shared/platform/ids-in.ts';
import { describe, log, withFields } from '#shared/platform/logger.ts';

const sqsEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string(), eventSourceARN: z.string() })),
});

/** @param queueArn where the message came from */
type HandleMessage = (body: string, queueArn: string) => Promise<void>;

/** Handles a batch message by message and logs a line for each: only a failed message goes back to the queue. */
export function eachMessage(consumer: string, clock: Clock, handle: HandleMessage) {
  return async (event: unknown): Promise<SQSBatchResponse> => {
    const { Records } = sqsEvent.parse(event);
    const failed = await Promise.all(
      Records.map(({ messageId, body, eventSourceARN }) =>
        withFields({ consumer, messageId, ...idsIn(body) }, () => fails(body, eventSourceARN)),
      ),
    );
    return {
      batchItemFailures: Records.filter((_, index) => failed[index]).map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };

  async function fails(body: string, queueArn: string): Promise<boolean> {
    const startedAt = clock.now().getTime();
    try {
      await handle(body, queueArn);
      log.info('MESSAGE_HANDLED', { milliseconds: clock.now().getTime() - startedAt });
      return false;
    } catch (error) {
      log.warn('MESSAGE_FAILED', { cause: describe(error), milliseconds: clock.now().getTime() - startedAt });
      return true;
    }
  }
}
