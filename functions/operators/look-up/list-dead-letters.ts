import { GetQueueAttributesCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type deadLetters, idsInMessage, type listDeadLettersContract } from '#shared/operators/lookups.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { idsIn } from '#shared/platform/ids.ts';
import type { Fields } from '#shared/platform/logger.ts';
import { formatAge } from '#shared/platform/operators/list-answer.ts';

export function listDeadLetters(
  lookAtDeadLetters: LookAtDeadLetters,
  clock: Clock,
): UseCase<typeof listDeadLettersContract> {
  return async () => {
    const found = await lookAtDeadLetters();
    const now = clock.now();
    return { body: { items: found.filter(({ messages }) => messages > 0).map((one) => rowOf(one, now)) } };
  };
}

function rowOf({ name, impact, isMovable, messages, oldest }: DeadLetters, now: Date): z.infer<typeof deadLetters> {
  return {
    queue: name,
    messages,
    ...(oldest && { since: oldest.since, age: formatAge(oldest.since, now), ...idsInMessage.parse(oldest.ids) }),
    who: 'FINANCE',
    what: `${impact} ${isMovable ? 'Fixes the cause, and moves the messages back: redrive-dead-letters.' : 'Deletes the messages: a sweep does their work.'}`,
  };
}

/** Name, URL and impact of each queue, and whether its messages can be moved back to a work queue. */
const queues = z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()]));

const MOST_SEEN = 10;

interface DeadLetter {
  /** When the message was first sent. RFC 3339 in UTC. */
  readonly since: string;
  /** The ids in the message. */
  readonly ids: Fields;
}

/** A queue's dead letters. */
export interface DeadLetters {
  readonly name: string;
  /** What clients lose because of these messages. */
  readonly impact: string;
  /** False for messages that are only positions in a stream, whose work a sweep does. */
  readonly isMovable: boolean;
  readonly messages: number;
  /** The oldest message that SQS returned. It returns only some; CloudWatch alone has the age of the oldest of all. */
  readonly oldest?: DeadLetter | undefined;
}

/** @param setting every queue of dead letters, from the deployment */
export function createLookAtDeadLetters(sqs: SQSClient, setting: string) {
  return (): Promise<readonly DeadLetters[]> =>
    Promise.all(
      queues.parse(JSON.parse(setting)).map(async ([name, url, impact, isMovable]) => {
        const messages = await countOf(sqs, url);
        return { name, impact, isMovable, messages, oldest: messages === 0 ? undefined : await oldestOf(sqs, url) };
      }),
    );
}

export type LookAtDeadLetters = ReturnType<typeof createLookAtDeadLetters>;

async function countOf(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
}

/** The oldest of some messages of a queue. Reading leaves them visible to others; only a move takes them. */
async function oldestOf(sqs: SQSClient, QueueUrl: string): Promise<DeadLetter | undefined> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: MOST_SEEN,
      VisibilityTimeout: 0,
      MessageSystemAttributeNames: ['SentTimestamp'],
    }),
  );
  const sentAt = (message: (typeof Messages)[number]) => Number(message.Attributes?.SentTimestamp);
  const [oldest] = Messages.toSorted((one, other) => sentAt(one) - sentAt(other));
  return oldest && { since: new Date(sentAt(oldest)).toISOString(), ids: idsIn(oldest.Body ?? '') };
}
