import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { LONGEST_DELAY } from '#shared/platform/aws/longest-delay.ts';
import { searcherOf } from './deposit-polls.ts';

const depositPoll = z.object({ custodianTransferId: z.string(), nextPollAt: z.string() });

/** A hint that the next poll of a deposit, or of a hash that is looked for, is due; the table has the truth. */
type DepositPollMessage = z.infer<typeof depositPoll>;

export function parseDepositPoll(messageBody: string): DepositPollMessage {
  return depositPoll.parse(JSON.parse(messageBody));
}

/** @param delaySeconds the delay of the message, at most 900 */
export type SendDepositPoll = (poll: DepositPollMessage, delaySeconds: number) => Promise<void>;

/**
 * Polls for the hashes of a client are one group and those of deposits another: however many it reports, deposits and what
 * others look for overtake them (fair queues of SQS).
 */
export function createSendDepositPoll(sqs: SQSClient, queueUrl: string): SendDepositPoll {
  return async ({ custodianTransferId, nextPollAt }, delaySeconds) => {
    const clientId = searcherOf(custodianTransferId);
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify({ custodianTransferId, nextPollAt }),
        MessageGroupId: clientId === undefined ? 'deposits' : `hashes#${clientId}`,
        DelaySeconds: Math.min(LONGEST_DELAY, Math.max(0, Math.ceil(delaySeconds))),
      }),
    );
  };
}
