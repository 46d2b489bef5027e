import { type DynamoDBDocumentClient, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type ClientFilter, queryClientIndex, queryUserIndex, type UserFilter } from '#shared/clients/record-index.ts';
import { readLastSequenceBefore, writeWithEvents } from '#shared/events/write-with-events.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { createDueBefore } from '#shared/platform/dynamodb/due-queue.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { type AcceptedTerms, type Money, type Payin, type PayinStatus, payin } from './pay-in.ts';
import type { MoneyOutcome } from './pay-in-outcome.ts';
import { nextPollAt } from './pay-in-poll-schedule.ts';
import {
  completedIndexKey,
  conditionalUpdate,
  mismatchIndexKey,
  payinItem,
  payinKey,
  reversedEventOf,
  statusChangeOf,
  statusEventOf,
} from './pay-in-records.ts';

/** Removes a mismatch: the rail has the ordered amount, or nothing, so nobody has to act. */
const NO_MISMATCH = { settlementMismatch: undefined, mismatchedAt: undefined };

/** Options of a status change, and the rail's facts about the payment apart from its money. */
interface EndOptions extends Pick<Payin, 'railPaymentId' | 'paymentUrl' | 'paidAt' | 'failureReason'> {
  readonly endsMismatch?: boolean;
}

/** An entry of an index; its item is read again by id before a decision. */
const indexEntry = z.object({ payinId: z.string() });
const idOf = z.pipe(
  indexEntry,
  z.transform(({ payinId }) => payinId),
);

/** Reads one pay-in, for functions that write none. */
export function createFindPayin(dynamo: DynamoDBDocumentClient, table: string) {
  return (payinId: string): Promise<Payin | undefined> => findAs(payin, dynamo, table, payinId);
}

/** Reads a pay-in as it is now, with the attributes of this schema. */
async function findAs<Schema extends z.ZodMiniType>(
  schema: Schema,
  dynamo: DynamoDBDocumentClient,
  table: string,
  payinId: string,
): Promise<z.infer<Schema> | undefined> {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: payinKey(payinId), ConsistentRead: true }),
  );
  return Item && schema.parse(Item);
}

export type FindPayin = ReturnType<typeof createFindPayin>;

/** Lists a user's or a client's pay-ins, newest first, beginning after the given one. */
export function createListedPayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const placeOf = (after: Payin | undefined) => after && { key: payinKey(after.payinId), createdAt: after.createdAt };
  return {
    idsOfUser: (of: UserFilter, after: Payin | undefined): AsyncGenerator<string> =>
      queryUserIndex(dynamo, table, 'payinId', of, placeOf(after)),

    idsOfClient: (of: ClientFilter, after: Payin | undefined): AsyncGenerator<string> =>
      queryClientIndex(dynamo, table, 'payinId', of, placeOf(after)),

    /** At most 100, in the order of the given ids. */
    async getAll(ids: readonly string[]): Promise<readonly (Payin | undefined)[]> {
      const items = await batchGet(dynamo, clock, table, ids.map(payinKey));
      return items.map((item) => item && payin.parse(item));
    },

    /** Like `getAll`, with `undefined` for pay-ins that cannot be read. */
    async getReadable(ids: readonly string[]): Promise<readonly (Payin | undefined)[]> {
      const items = await batchGet(dynamo, clock, table, ids.map(payinKey));
      return ids.map((id, position) => parseReadable(id, () => items[position] && payin.parse(items[position])));
    },
  };
}

export type ListedPayins = ReturnType<typeof createListedPayins>;

/**
 * The repository for writers. A decision is written only if the pay-in's sequence is as read. A change of status and
 * its event are one transaction.
 */
export function createPayinRepository(
  dynamo: DynamoDBDocumentClient,
  { payins: table, events }: { readonly payins: string; readonly events: string },
  clock: Clock,
) {
  const update = (command: UpdateCommandInput) => updateItem(dynamo, clock, new UpdateCommand(command));

  /** @throws {WriteConflict} when the pay-in changed after the read. */
  async function change(seen: Payin, changes: Partial<Payin>, indexKeys = {}): Promise<Payin> {
    const next = { ...changes, sequence: seen.sequence + 1 };
    const written = await unlessConditionFails(update(conditionalUpdate(table, seen, { ...next, ...indexKeys })));
    if (written === undefined) throw new WriteConflict('sequence');
    return { ...seen, ...next };
  }

  /**
   * Returns false if the stored pay-in may differ from this one: read it. If only its event exists, the table was
   * restored to an earlier time: the sequence continues after that of its last event.
   */
  async function create(made: Payin): Promise<boolean> {
    const now = new Date(made.createdAt);
    const event = statusEventOf({ table: events, now }, made, null);
    const Item = payinItem(made, nextPollAt(made, now));
    const put = { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(payinId)' } };
    const failed = await transact(dynamo, { payin: put, event });
    if (failed.has('payin') || failed.size === 0) return failed.size === 0;
    const last = await readLastSequenceBefore(dynamo, event);
    await create({ ...made, sequence: last + 1 });
    return false;
  }

  const dueBefore = createDueBefore(dynamo, table, { index: 'due', shard: 'clientId', at: 'nextPollAt', entry: idOf });

  return {
    find: createFindPayin(dynamo, table),

    findPolled: createFindPolledPayin(dynamo, table),

    /** Ids of a client's due pay-ins, longest due first. */
    due: (clientId: string, now: string): AsyncGenerator<string> =>
      dueBefore(clientId, new Date(Date.parse(now) + 1).toISOString()),

    create,

    /**
     * Written before the rail is asked to collect: from then on the pay-in may be payable, and the payer has accepted
     * these terms. The terms of earlier orders stay: the rail may accept one of those orders.
     *
     * @throws {WriteConflict}
     */
    beginOrdering: (seen: Payin, at: string, terms: readonly AcceptedTerms[] = []) => {
      const known = seen.acceptedTerms ?? [];
      const isKnown = (one: AcceptedTerms) =>
        known.some(({ permalink, fileHash }) => permalink === one.permalink && fileHash === one.fileHash);
      const acceptedTerms = [...known, ...terms.filter((one) => !isKnown(one))];
      return change(seen, { orderingSince: at, ...(acceptedTerms.length > 0 && { acceptedTerms }) });
    },

    /** Records a wrong amount of a pay-in that is not completed; it then waits for finance. @throws {WriteConflict} */
    async recordMismatch(seen: Payin, money: Money, at: string): Promise<Payin> {
      const mismatchedAt = seen.mismatchedAt ?? at;
      const changes = { settlementMismatch: { ...money, at }, moneyAt: at, mismatchedAt };
      return await change(seen, changes, mismatchIndexKey(mismatchedAt));
    },

    /** Removes a mismatch when the rail has ended the payment without money after all. @throws {WriteConflict} */
    clearMismatch: (seen: Payin, at: string) =>
      change(seen, { ...NO_MISMATCH, moneyAt: at }, mismatchIndexKey(undefined)),

    /**
     * Records the money of a completed pay-in, with an event if the client can count on more or less than before.
     * @throws {WriteConflict}
     */
    async recordMoney(seen: Payin, outcome: MoneyOutcome, at: string): Promise<Payin> {
      const now = new Date(at);
      const after = { ...seen, ...outcome, sequence: seen.sequence + 1 };
      const indexKeys = { ...mismatchIndexKey(outcome.mismatchedAt), nextPollAt: nextPollAt(after, now) };
      if (seen.reversedAt === undefined && after.reversedAt === undefined)
        return await change(seen, outcome, indexKeys);
      const failed = await writeWithEvents(dynamo, {
        payin: { Update: conditionalUpdate(table, seen, { ...outcome, ...indexKeys, sequence: after.sequence }) },
        event: reversedEventOf({ table: events, now }, after),
      });
      if (failed.size > 0) throw new WriteConflict([...failed].join());
      return after;
    },

    /** Stores the page and the rail's id of a payment. A value that is already stored stays. */
    async keepPayment(payinId: string, kept: Pick<Payin, 'paymentUrl' | 'railPaymentId'>): Promise<void> {
      const facts = Object.entries(kept).filter(([, value]) => value !== undefined);
      await update({
        TableName: table,
        Key: payinKey(payinId),
        UpdateExpression: `SET ${facts.map(([name]) => `${name} = if_not_exists(${name}, :${name})`).join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(facts.map(([name, value]) => [`:${name}`, value])),
      });
    },

    /**
     * Changes the status. `endsMismatch`, the default for COMPLETED, removes a mismatch: after the ordered amount, or
     * an end without money, finance has nothing to do.
     *
     * @throws {WriteConflict} when the pay-in changed after the read.
     */
    async changeStatus(
      seen: Payin,
      to: PayinStatus,
      at: string,
      { endsMismatch = to === 'COMPLETED', ...facts }: EndOptions = {},
    ): Promise<Payin> {
      const hadOther = seen.settlementMismatch !== undefined;
      const changes = {
        ...facts,
        ...(endsMismatch && { ...NO_MISMATCH, ...(hadOther && { moneyAt: at }) }),
        ...(to === 'COMPLETED' && hadOther && { wholeSince: at }),
      };
      const indexKeys = {
        ...(endsMismatch && mismatchIndexKey(undefined)),
        ...(to === 'COMPLETED' && completedIndexKey(seen.payinId, at)),
      };
      const { after, legs } = statusChangeOf({ table, events }, seen, to, at, changes, indexKeys);
      const failed = await writeWithEvents(dynamo, legs);
      if (failed.size > 0) throw new WriteConflict([...failed].join());
      return after;
    },

    /** Sets the time of the next poll, unless the pay-in changed after the read. */
    async pollAgainAt(seen: Payin, at: string): Promise<void> {
      await unlessConditionFails(update(conditionalUpdate(table, seen, { nextPollAt: at })));
    },

    /**
     * After a poll, sets the time of the next one, or removes it. Returns false if the pay-in changed after the read,
     * or another poll was planned since: the caller that planned it may know something newer than this poll.
     */
    async putOff(seen: PolledPayin, at: string | undefined): Promise<boolean> {
      const { nextPollAt: planned } = seen;
      const put = conditionalUpdate(table, seen, { nextPollAt: at });
      const isAsPlanned = planned === undefined ? 'attribute_not_exists(#nextPollAt)' : '#nextPollAt = :planned';
      const write = update({
        ...put,
        ConditionExpression: `${put.ConditionExpression} AND ${isAsPlanned}`,
        ExpressionAttributeValues: {
          ...put.ExpressionAttributeValues,
          ...(planned !== undefined && { ':planned': planned }),
        },
      });
      return (await unlessConditionFails(write)) !== undefined;
    },
  };
}

export type PayinStore = ReturnType<typeof createPayinRepository>;

/**
 * Makes the next poll of a pay-in due, so that the sweep polls the rail within a minute; returns the pay-in, or
 * `undefined` if there is none.
 */
export type PollPayinNow = (payinId: string, at: string) => Promise<Payin | undefined>;

export function createPollPayinNow(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): PollPayinNow {
  return async (payinId, at) => {
    const update = new UpdateCommand({
      TableName: table,
      Key: payinKey(payinId),
      UpdateExpression: 'SET nextPollAt = :at',
      ConditionExpression: 'attribute_exists(payinId)',
      ExpressionAttributeValues: { ':at': at },
      ReturnValues: 'ALL_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written && payin.parse(written.Attributes);
  };
}

/**
 * Records the amount that the rail has by another payment of a completed pay-in, `undefined` if it has none any more,
 * and makes a poll due. Writes nothing if the pay-in changed after the read: the next list reports the amount again.
 */
export type RecordOtherPayment = (
  seen: Payin,
  other: { readonly railPaymentId: string; readonly amount: string | undefined },
  at: string,
) => Promise<void>;

export function createRecordOtherPayment(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): RecordOtherPayment {
  return async (seen, { railPaymentId, amount }, at) => {
    const { [railPaymentId]: _, ...others } = seen.otherPayments ?? {};
    const otherPayments = { ...others, ...(amount !== undefined && { [railPaymentId]: amount }) };
    const change = conditionalUpdate(table, seen, { otherPayments, sequence: seen.sequence + 1, nextPollAt: at });
    await unlessConditionFails(updateItem(dynamo, clock, new UpdateCommand(change)));
  };
}

/** A pay-in with the time of its next poll; absent if never. */
export const polledPayin = z.extend(payin, { nextPollAt: z.optional(z.string()) });

export type PolledPayin = Readonly<z.infer<typeof polledPayin>>;

/** Reads a pay-in with the time of its next poll. */
export function createFindPolledPayin(dynamo: DynamoDBDocumentClient, table: string) {
  return (payinId: string): Promise<PolledPayin | undefined> => findAs(polledPayin, dynamo, table, payinId);
}

export type FindPolledPayin = ReturnType<typeof createFindPolledPayin>;
