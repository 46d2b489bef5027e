import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import { asConflict, type TransactionLeg, transact } from '#shared/platform/dynamodb/transaction.ts';
import { sequence } from './event-envelope.ts';
import { UNPUBLISHED } from './event-repository.ts';
import {
  changeKey,
  type EventKey,
  eventIdOf,
  eventKey,
  eventSubject,
  newServiceEvent,
  parseChange,
  type ServiceEvent,
  withKey,
} from './service-event.ts';

export interface EventSource {
  /** The events table. */
  readonly table: string;
  readonly now: Date;
}

/**
 * The members of an event's data that say what it is about, and which change. A deposit's event is about its operation.
 */
const about = z.object({
  operationId: z.optional(z.string()),
  payinId: z.optional(z.string()),
  depositId: z.optional(z.string()),
  sequence,
});

/**
 * The leg that puts a status change into the events table, in the transaction that makes the change. Every event in the
 * table is published, and publishing is repeated until the bus accepts it. The leg fails if this change already has its
 * event.
 *
 * @param kept stored beside the event for the service alone: neither the bus nor a client receives it
 */
export function statusEvent(
  { table, now }: EventSource,
  change: Pick<ServiceEvent, 'clientId' | 'type'>,
  data: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, unknown>> = {},
): TransactionLeg {
  const { depositId, sequence, ...of } = about.parse(data);
  const subject = subjectFor(change.clientId, of);
  const eventId = eventIdOf(changeKey(subject, change.type, depositId, sequence));
  const event = newServiceEvent({ ...change, eventId, occurredAt: now.toISOString() }, data);
  return {
    Put: {
      TableName: table,
      Item: { ...kept, ...withKey(event), unpublishedIn: shardOf(UNPUBLISHED, subject) },
      ConditionExpression: 'attribute_not_exists(subject)',
    },
  };
}

/** The subject is the off-ramp or the pay-in; for any other event, the client. */
function subjectFor(
  clientId: string,
  { operationId, payinId }: Pick<z.infer<typeof about>, 'operationId' | 'payinId'>,
) {
  if (operationId !== undefined) return eventSubject('operation', operationId);
  return payinId === undefined ? eventSubject('client', clientId) : eventSubject('payin', payinId);
}

/** The update of an item that counts its changes. */
type Changed = NonNullable<TransactionLeg['Update']>;

/**
 * Names of the legs that change what an event is about: `deposit` for a deposit's event, for any other the one of these
 * that is present.
 */
const DEPOSIT = 'deposit';
const OTHERS = ['operation', 'payin', 'client'];

/**
 * Like `transact`, for changes with events. Events are kept when other tables are restored to an earlier time. A
 * restored item counts on from its earlier sequence, so the event of its next change may exist already: then the
 * condition of this event fails, and nothing is written. The item's sequence is set to that of its last event, so that
 * the next try, which the caller makes as after any conflict, continues after the events that clients know.
 */
export async function writeWithEvents<Name extends string>(
  dynamo: DynamoDBDocumentClient,
  legs: Readonly<Partial<Record<Name, TransactionLeg>>>,
): Promise<ReadonlySet<Name>> {
  const lost = await transact(dynamo, legs);
  const of = new Map<string, TransactionLeg | undefined>(Object.entries(legs));
  for (const name of lost) {
    const event = eventOf(of.get(name));
    if (event === undefined) continue;
    const isOfDeposit = parseChange(event.key.change)?.depositId !== '';
    const changed = isOfDeposit ? DEPOSIT : OTHERS.find((one) => of.has(one));
    const update = changed === undefined ? undefined : of.get(changed)?.Update;
    // Another writer was faster: the event is that writer's.
    if (update === undefined || [...lost].some((one) => one === changed)) continue;
    await setSequence(dynamo, update, event.key, await readLastSequence(dynamo, event.table, event.key));
  }
  return lost;
}

function eventOf(leg: TransactionLeg | undefined): { readonly table: string; readonly key: EventKey } | undefined {
  const { data: key } = eventKey.safeParse(leg?.Put?.Item);
  return key && leg?.Put?.TableName ? { table: leg.Put.TableName, key } : undefined;
}

/** The sequence of the last event about the same item; 0 before the first. */
export async function readLastSequence(
  dynamo: DynamoDBDocumentClient,
  table: string,
  { subject, change }: EventKey,
): Promise<number> {
  const about = parseChange(change)?.depositId;
  const pages = paginateQuery(
    { client: dynamo },
    {
      TableName: table,
      KeyConditionExpression: 'subject = :subject',
      ExpressionAttributeValues: { ':subject': subject },
      ConsistentRead: true,
    },
  );
  let last = 0;
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const parts = parseChange(changeOf.parse(item).change);
      if (parts?.depositId === about) last = Math.max(last, parts?.sequence ?? 0);
    }
  }
  return last;
}

/** Like `readLastSequence`, for the event that this leg puts; 0 for a leg without an event. */
export async function readLastSequenceBefore(dynamo: DynamoDBDocumentClient, leg: TransactionLeg): Promise<number> {
  const event = eventOf(leg);
  return event === undefined ? 0 : readLastSequence(dynamo, event.table, event.key);
}

const changeOf = z.pick(eventKey, { change: true });

/** Sets the item's sequence, if it is still as the failed write saw it: otherwise a faster writer has counted on. */
async function setSequence(
  dynamo: DynamoDBDocumentClient,
  { TableName, Key = {} }: Changed,
  { change }: EventKey,
  last: number,
) {
  const seen = (parseChange(change)?.sequence ?? 1) - 1;
  const [partition] = Object.keys(Key);
  const update = new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: 'SET #sequence = :last',
    ConditionExpression: `attribute_exists(#partition) AND ${seen === 0 ? 'attribute_not_exists(#sequence)' : '#sequence = :seen'}`,
    ExpressionAttributeNames: { '#sequence': 'sequence', '#partition': partition ?? '' },
    ExpressionAttributeValues: { ':last': last, ...(seen > 0 && { ':seen': seen }) },
  });
  try {
    await unlessConditionFails(dynamo.send(update));
  } catch (error) {
    throw asConflict(error);
  }
}
