import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { LONGEST_DELAY } from './longest-delay.ts';

/**
 * Sends a message that arrives after so many seconds, at most `LONGEST_DELAY`. Messages of one group wait behind each
 * other, those of other groups overtake them (fair queues of SQS).
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
