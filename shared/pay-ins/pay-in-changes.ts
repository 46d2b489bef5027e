import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { userReference } from '#shared/clients/user-index.ts';
import { type EventSource, statusEvent } from '#shared/events/outbox.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import type { Payin, PayinStatus } from './pay-in.ts';
import type { payinStatusChanged } from './pay-in-events.ts';
import { nextPollAt } from './pay-in-poll-schedule.ts';
import { duePayin, payinKey } from './pay-in-store.ts';

/**
 * Writes of the pay-ins table. What was decided on a pay-in is written only while it still is as it was read, of which its
 * sequence is the sign; a change of the status and its event are one transaction.
 */
export function createPayinChanges(
  dynamo: DynamoDBDocumentClient,
  { payins: table, events }: { readonly payins: string; readonly events: string },
  clock: Clock,
  newId: () => string,
) {
  const update = (command: UpdateCommandInput) => updateItem(dynamo, clock, new UpdateCommand(command));

  /** @throws {WriteConflict} when the pay-in was written since it was read. */
  async function change(seen: Payin, changes: Partial<Payin>): Promise<Payin> {
    const next = { ...changes, sequence: seen.sequence + 1 };
    const written = await unlessConditionFails(update(changeOf(table, seen, next)));
    if (written === undefined) throw new WriteConflict('sequence');
    return { ...seen, ...next };
  }

  return {
    /** False when there is a pay-in with this id already. */
    async create(payin: Payin): Promise<boolean> {
      const now = new Date(payin.createdAt);
      const indexed = {
        ...duePayin(payin.payinId, nextPollAt(payin, now)),
        userReference: userReference(payin),
      };
      const lost = await transact(dynamo, {
        payin: {
          Put: {
            TableName: table,
            Item: { ...payin, ...indexed, record: 'PAYIN' },
            ConditionExpression: 'attribute_not_exists(payinId)',
          },
        },
        event: changedStatus({ table: events, now, newId }, payin, null),
      });
      return lost.size === 0;
    },

    /** Before the rail is asked to collect: from then on it may be payable. @throws {WriteConflict} */
    beginOrdering: (seen: Payin, at: string) => change(seen, { orderingSince: at }),

    /** @throws {WriteConflict} */
    keepMismatch: (seen: Payin, settlementMismatch: NonNullable<Payin['settlementMismatch']>) =>
      change(seen, { settlementMismatch }),

    async keepLink(payinId: string, link: string): Promise<void> {
      await update({
        TableName: table,
        Key: payinKey(payinId),
        UpdateExpression: 'SET pseLink = if_not_exists(pseLink, :link)',
        ExpressionAttributeValues: { ':link': link },
      });
    },

    /** @throws {WriteConflict} when the pay-in was written since it was read. */
    async changeStatus(seen: Payin, to: PayinStatus, at: string): Promise<Payin> {
      const statusHistory = [...seen.statusHistory, { status: to, at }];
      const after: Payin = { ...seen, status: to, sequence: seen.sequence + 1, statusHistory };
      const { payinId, sequence } = after;
      const due = duePayin(payinId, nextPollAt(after, new Date(at)));
      const lost = await transact(dynamo, {
        payin: { Update: changeOf(table, seen, { status: to, sequence, statusHistory, ...due }) },
        event: changedStatus({ table: events, now: new Date(at), newId }, after, seen.status),
      });
      if (lost.size > 0) throw new WriteConflict([...lost].join());
      return after;
    },

    /** Puts the next poll off; none takes the pay-in out of the index. False when it was written since it was read. */
    async pollAgainAt(seen: Payin, at: string | undefined): Promise<boolean> {
      const write = update(changeOf(table, seen, duePayin(seen.payinId, at)));
      return (await unlessConditionFails(write)) !== undefined;
    },
  };
}

export type PayinChanges = ReturnType<typeof createPayinChanges>;

/** Writes the attributes, and takes away those that are undefined, if the pay-in is as it was read. */
function changeOf(table: string, { payinId, sequence }: Payin, attributes: Readonly<Record<string, unknown>>) {
  const { expression, names, values } = assignments(attributes);
  return {
    TableName: table,
    Key: payinKey(payinId),
    UpdateExpression: expression,
    ConditionExpression: '#sequence = :seen',
    ExpressionAttributeNames: { ...names, '#sequence': 'sequence' },
    ExpressionAttributeValues: { ...values, ':seen': sequence },
  };
}

function changedStatus(
  source: EventSource,
  { payinId, clientId, userId, status, sequence }: Payin,
  previousStatus: PayinStatus | null,
): TransactionLeg {
  const data: z.infer<typeof payinStatusChanged.shape.data> = { payinId, userId, status, previousStatus, sequence };
  return statusEvent(source, { clientId, type: 'ramp.payin.status_changed' }, data);
}
