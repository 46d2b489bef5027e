import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';

/** Addresses of the queues whose dead letters can be moved back, by their names. */
const addresses = z.record(z.string(), z.string());

const redrivePolicy = z.object({ deadLetterTargetArn: z.string() });
const attributes = z.object({ QueueArn: z.string(), RedrivePolicy: z.string() });

/**
 * Has SQS move the dead letters of a queue back, which takes it a while; `undefined` when there is no such queue. The
 * destination is named, because of what EventBridge puts there SQS does not know where it was.
 */
export type MoveDeadLetters = (queue: string) => Promise<'STARTED' | 'RUNNING' | undefined>;

/** @param setting every queue, as the deployment names them */
export function createMoveDeadLetters(sqs: SQSClient, setting: string): MoveDeadLetters {
  return async (name) => {
    const url = new Map(Object.entries(addresses.parse(JSON.parse(setting)))).get(name);
    if (url === undefined) return undefined;
    const task = await moveInto(sqs, url);
    try {
      await sqs.send(new StartMessageMoveTaskCommand(task));
      return 'STARTED';
    } catch (error) {
      // SQS takes one task of a queue at a time, and says of another no more than that a parameter is not valid.
      if (await isMoving(sqs, task.SourceArn)) return 'RUNNING';
      throw error;
    }
  };
}

/** The queue says itself which its dead letters are. */
async function moveInto(sqs: SQSClient, QueueUrl: string) {
  const said = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn', 'RedrivePolicy'] }),
  );
  const { QueueArn: DestinationArn, RedrivePolicy } = attributes.parse(said.Attributes);
  return { SourceArn: redrivePolicy.parse(JSON.parse(RedrivePolicy)).deadLetterTargetArn, DestinationArn };
}

/** False also when SQS does not say. */
async function isMoving(sqs: SQSClient, SourceArn: string): Promise<boolean> {
  const list = new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 });
  const { Results = [] } = await sqs.send(list).catch(() => ({ Results: [] }));
  return Results.some(({ Status }) => Status === 'RUNNING' || Status === 'CANCELLING');
}
