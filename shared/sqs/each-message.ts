import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod/mini';
import { describe, type Fields, log } from '#shared/runtime/logger.ts';

const sqsEvent = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });

/** Handles a batch message by message, with a line for each: one that fails goes back to the queue alone. */
export function eachMessage(consumer: string, handle: (body: string) => Promise<void>) {
  return async (event: unknown): Promise<SQSBatchResponse> => {
    const { Records } = sqsEvent.parse(event);
    const failures = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        const startedAt = Date.now();
        const line = () => ({ consumer, messageId, ...idsIn(body), milliseconds: Date.now() - startedAt });
        try {
          await handle(body);
          log.info('MESSAGE_HANDLED', line());
          return [];
        } catch (error) {
          log.warn('MESSAGE_FAILED', { ...line(), cause: describe(error) });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failures.flat() };
  };
}

/** Ids come from other services too, so nothing that is not shaped like one is taken for one. */
const id = z.catch(z.optional(z.string().check(z.regex(/^[\w:#.-]{1,100}$/))), undefined);
const ids = z.object({
  clientId: id,
  userId: id,
  operationId: id,
  payinId: id,
  webhookId: id,
  deliveryId: id,
  eventId: id,
  custodianTransferId: id,
});
const messageWithIds = z.union([z.object({ detail: ids }), ids]);

/** The ids that a message names, itself or, when it is an event of the bus, in its detail. */
function idsIn(body: string): Fields {
  try {
    const message = messageWithIds.parse(JSON.parse(body));
    return 'detail' in message ? message.detail : message;
  } catch {
    return {};
  }
}
