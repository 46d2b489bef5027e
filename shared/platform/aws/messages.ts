import { SendMessageBatchCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { idsIn } from '#shared/platform/ids.ts';
import { describe, log, withFields } from '#shared/platform/logger.ts';

/** Numbers that SQS sends as texts. */
const attributes = z.object({
  ApproximateReceiveCount: z.coerce.number(),
  SentTimestamp: z.coerce.number(),
});

const sqsEvent = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      body: z.string(),
      eventSourceARN: z.string(),
      attributes: z.catch(z.optional(attributes), undefined),
    }),
  ),
});

/** How a message arrived. */
export interface Arrival {
  /** When the message entered the queue. A dead letter keeps this time; a message that is moved back is a new one. */
  readonly sentAt: Date;
  /** True if the message was received before; how far its handling came is unknown. */
  readonly isRepeat: boolean;
}

/** @param queueArn where the message came from */
type HandleMessage = (body: string, queueArn: string, arrival: Arrival) => Promise<void>;

/** A message that cannot be handled yet, which is not a fault: it goes back to the queue without an alarm. */
export class CannotHandleYet extends Error {
  override readonly name = 'CannotHandleYet';
}

/** Handles a batch message by message and logs a line for each: only a failed message goes back to the queue. */
export function handleEachMessage(consumer: string, clock: Clock, handle: HandleMessage) {
  return async (event: unknown): Promise<SQSBatchResponse> => {
    const { Records } = sqsEvent.parse(event);
    const failed = await Promise.all(
      Records.map(({ messageId, body, eventSourceARN, attributes }) =>
        withFields({ ...idsIn(body), consumer, messageId }, () => fails(body, eventSourceARN, arrivalOf(attributes))),
      ),
    );
    return {
      batchItemFailures: Records.filter((_, index) => failed[index]).map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };

  function arrivalOf(of: z.infer<typeof attributes> | undefined): Arrival {
    if (of === undefined) return { sentAt: clock.now(), isRepeat: false };
    return { sentAt: new Date(of.SentTimestamp), isRepeat: of.ApproximateReceiveCount > 1 };
  }

  async function fails(body: string, queueArn: string, arrival: Arrival): Promise<boolean> {
    const startedAt = clock.now().getTime();
    try {
      await handle(body, queueArn, arrival);
      log.info('MESSAGE_HANDLED', { milliseconds: clock.now().getTime() - startedAt });
      return false;
    } catch (error) {
      const ending = { cause: describe(error), milliseconds: clock.now().getTime() - startedAt };
      if (error instanceof CannotHandleYet) log.info('MESSAGE_POSTPONED', ending);
      else log.warn('MESSAGE_FAILED', ending);
      return true;
    }
  }
}

/** The longest delay of a message in SQS, in seconds. */
export const LONGEST_DELAY = 900;

/**
 * Sends a message that arrives after this many seconds, at most `LONGEST_DELAY`. A backlog of one group hardly delays
 * the messages of other groups (fair queues of SQS).
 */
export function createSendMessage(sqs: SQSClient, queueUrl: string) {
  return async (message: object, group: string, delaySeconds: number): Promise<void> => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        MessageGroupId: group,
        DelaySeconds: Math.min(LONGEST_DELAY, Math.max(0, Math.ceil(delaySeconds))),
      }),
    );
  };
}

/** Sends an empty batch, which every queue rejects: the first call of a client, for its warm-up. */
export async function sendEmptyBatch(sqs: SQSClient, queueUrl: string): Promise<void> {
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [] }));
}
