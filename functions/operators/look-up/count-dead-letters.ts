import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';

const queues = z.array(z.object({ name: z.string(), url: z.string(), impact: z.string() }));

/** What could not be handled, by the queue that it was in. */
export interface DeadLetterCount {
  readonly name: string;
  /** What clients lose by it. */
  readonly impact: string;
  readonly messages: number;
}

/** @param setting every queue of dead letters, as the deployment names them */
export function createCountDeadLetters(sqs: SQSClient, setting: string) {
  return (): Promise<readonly DeadLetterCount[]> => {
    const known = queues.parse(JSON.parse(setting));
    return Promise.all(known.map(async ({ url, ...queue }) => ({ ...queue, messages: await countOf(sqs, url) })));
  };
}

export type CountDeadLetters = ReturnType<typeof createCountDeadLetters>;

async function countOf(sqs: SQSClient, url: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
}
