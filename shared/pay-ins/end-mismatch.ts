import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { writeWithEvents } from '#shared/events/write-with-events.ts';
import { type TransactionLeg, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { isOpen, type MismatchEnd, type Payin } from './pay-in.ts';
import { changeOf, mismatchPlace, statusChangeOf } from './pay-in-records.ts';

/** Ends kept in a pay-in; the audit has all. */
const MOST_ENDS = 20;

/** The transfer has already ended another pay-in: one refund ends one. */
export class TransferTaken extends Error {
  override readonly name = 'TransferTaken';

  constructor(reference: string, payinId: string) {
    super(`The transfer ${reference} has ended the pay-in ${payinId}`);
  }
}

/**
 * Finance has settled the amount at the rail that is not the ordered one (decisions.md 5, Ending a mismatch). An open
 * pay-in fails, an ended one keeps its status, and neither waits for anybody. What a second person confirmed is marked as
 * done in the same transaction.
 *
 * @throws {WriteConflict} when the pay-in changed after the read. @throws {TransferTaken}
 */
export type EndMismatch = (seen: Payin, end: MismatchEnd, confirmed?: TransactionLeg) => Promise<Payin>;

export function createEndMismatch(
  dynamo: DynamoDBDocumentClient,
  { payins: table, events }: { readonly payins: string; readonly events: string },
): EndMismatch {
  const checkTransfer = createCheckTransfer(dynamo, table);
  return async (seen, end, proposal) => {
    const mismatchEnds = [...(seen.mismatchEnds ?? []), end].slice(-MOST_ENDS);
    const [changes, place] = [{ mismatchEnds, mismatchedAt: undefined }, mismatchPlace(undefined)];
    const sequence = seen.sequence + 1;
    const { after, legs } = isOpen(seen.status)
      ? statusChangeOf({ table, events }, seen, 'FAILED', end.at, changes, place)
      : {
          after: { ...seen, ...changes, sequence },
          legs: { payin: { Update: changeOf(table, seen, { ...changes, ...place, sequence }) } },
        };
    const claim = end.reference === undefined ? {} : { transfer: claimOf(table, end.reference, seen.payinId) };
    const confirmed = proposal && { proposal };
    const lost = await writeWithEvents<'payin' | 'event' | 'transfer' | 'proposal'>(dynamo, {
      ...legs,
      ...claim,
      ...confirmed,
    });
    if (lost.has('payin') || lost.has('proposal')) throw new WriteConflict('sequence');
    if (lost.has('transfer') && end.reference !== undefined) await checkTransfer(end.reference, seen.payinId);
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return after;
  };
}

/** Two spellings of a reference are one. */
const claimKey = (reference: string) => ({ payinId: `TRANSFER#${reference.toUpperCase()}`, record: 'CLAIM' });

/** One transfer ends one pay-in, any number of times. */
function claimOf(table: string, reference: string, payinId: string): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey(reference), claimedBy: payinId },
      ConditionExpression: 'attribute_not_exists(payinId) OR claimedBy = :own',
      ExpressionAttributeValues: { ':own': payinId },
    },
  };
}

const claim = z.object({ claimedBy: z.string() });

/** Refuses what would be refused when it is written, before a second person is asked. @throws {TransferTaken} */
export type CheckTransfer = (reference: string, payinId: string) => Promise<void>;

export function createCheckTransfer(dynamo: DynamoDBDocumentClient, table: string): CheckTransfer {
  return async (reference, payinId) => {
    const read = new GetCommand({ TableName: table, Key: claimKey(reference), ConsistentRead: true });
    const { Item } = await dynamo.send(read);
    const claimedBy = Item && claim.parse(Item).claimedBy;
    if (claimedBy !== undefined && claimedBy !== payinId) throw new TransferTaken(reference, claimedBy);
  };
}
