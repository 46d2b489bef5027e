import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { LONGEST_DELAY } from './longest-delay.ts';

const depositPoll = z.object({ custodianTransferId: z.string(), nextPollAt: z.string() });

/** That the next poll of a deposit, or of a hash that is looked for, is to be made: a hint; the truth is in the table. */
type DepositPollMessage = z.infer<typeof depositPoll>;

export function parseDepositPoll(messageBody: string): DepositPollMessage {
  return depositPoll.parse(JSON.parse(messageBody));
}

/** @param delaySeconds at most 900; until when the message is held back. */
export type SendDepositPoll = (poll: DepositPollMessage, delaySeconds: number) => Promise<void>;

export function createSendDepositPoll(sqs: SQSClient, queueUrl: string): SendDepositPoll {
  return async ({ custodianTransferId, nextPollAt }, delaySeconds) => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify({ custodianTransferId, nextPollAt }),
        DelaySeconds: Math.min(LONGEST_DELAY, Math.max(0, Math.ceil(delaySeconds))),
      }),
    );
  };
}
