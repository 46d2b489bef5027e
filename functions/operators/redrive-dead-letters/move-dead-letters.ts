import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';

/** URLs, by name, of the queues whose dead letters can be moved back. */
const addresses = z.record(z.string(), z.string());

const redrivePolicy = z.object({ deadLetterTargetArn: z.string() });
const attributes = z.object({ QueueArn: z.string(), RedrivePolicy: z.string() });

/**
 * Starts a task of SQS that moves the dead letters of a queue back; `undefined` for an unknown queue. The request names
 * the destination, because SQS does not know the source of messages that EventBridge put there.
 */
export type MoveDeadLetters = (queue: string) => Promise<'STARTED' | 'RUNNING' | undefined>;

/** @param setting name and URL of every queue, from the deployment */
export function createMoveDeadLetters(sqs: SQSClient, setting: string): MoveDeadLetters {
  return async (name) => {
    const url = new Map(Object.entries(addresses.parse(JSON.parse(setting)))).get(name);
    if (url === undefined) return undefined;
    const task = await moveInto(sqs, url);
    try {
      await sqs.send(new StartMessageMoveTaskCommand(task));
      return 'STARTED';
    } catch (error) {
      // SQS runs one task per queue, and rejects another one only as an invalid parameter.
      if (await isMoving(sqs, task.SourceArn)) return 'RUNNING';
      throw error;
    }
  };
}

/** Reads the queue's attributes, which name its dead-letter queue. */
async function moveInto(sqs: SQSClient, QueueUrl: string) {
  const answer = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn', 'RedrivePolicy'] }),
  );
  const { QueueArn: DestinationArn, RedrivePolicy } = attributes.parse(answer.Attributes);
  return { SourceArn: redrivePolicy.parse(JSON.parse(RedrivePolicy)).deadLetterTargetArn, DestinationArn };
}

/** Returns false also if SQS does not answer. */
async function isMoving(sqs: SQSClient, SourceArn: string): Promise<boolean> {
  const list = new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 });
  const { Results = [] } = await sqs.send(list).catch(() => ({ Results: [] }));
  return Results.some(({ Status }) => Status === 'RUNNING' || Status === 'CANCELLING');
}
