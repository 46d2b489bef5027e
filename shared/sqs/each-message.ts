import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod/mini';
import { describe, log } from '#shared/runtime/logger.ts';

const sqsEvent = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });

/** Handles a batch message by message: one that fails goes back to the queue alone. */
export function eachMessage(consumer: string, handle: (body: string) => Promise<void>) {
  return async (event: unknown): Promise<SQSBatchResponse> => {
    const { Records } = sqsEvent.parse(event);
    const failures = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        try {
          await handle(body);
          return [];
        } catch (error) {
          log.warn('MESSAGE_FAILED', { consumer, messageId, cause: describe(error) });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failures.flat() };
  };
}
