import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import type { NotifiedTransfer } from '#shared/custodian/custodian.ts';
import { LONGEST_DELAY } from './longest-delay.ts';

const notifiedTransfer = z.object({ custodianTransferId: z.string(), network, txHash: z.string() });

export function parseNotifiedTransfer(messageBody: string): NotifiedTransfer {
  return notifiedTransfer.parse(JSON.parse(messageBody));
}

/** Transfers that the custodian told us of and that have to meet their operation. */
export function notifiedTransferQueue(sqs: SQSClient, queueUrl: string) {
  return {
    async send(transfer: NotifiedTransfer, delaySeconds: number): Promise<void> {
      const { custodianTransferId, network, txHash } = transfer;
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify({ custodianTransferId, network, txHash }),
          DelaySeconds: Math.min(LONGEST_DELAY, Math.ceil(delaySeconds)),
        }),
      );
    },
  };
}
