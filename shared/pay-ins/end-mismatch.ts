import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { writeWithEvents } from '#shared/events/write-with-events.ts';
import { type TransactionLeg, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { isOpen, type MismatchEnd, type Payin } from './pay-in.ts';
import { conditionalUpdate, mismatchIndexKey, statusChangeOf } from './pay-in-records.ts';

/** Ends that a pay-in keeps, at most; the audit keeps all. */
const MOST_ENDS = 20;

/** The refund's transfer has already ended another pay-in; a transfer may end only one. */
export class TransferAlreadyClaimed extends Error {
  override readonly name = 'TransferAlreadyClaimed';

  constructor(reference: string, payinId: string) {
    super(`The transfer ${reference} has ended the pay-in ${payinId}`);
  }
}

/**
 * Records that finance has settled a wrong amount (decisions.md 5, Ending a mismatch). An open pay-in fails, an ended
 * one keeps its status, and both leave the mismatch index. A proposal that a second person confirmed is marked as done
 * in the same transaction.
 *
 * @throws {WriteConflict} when the pay-in changed after the read. @throws {TransferAlreadyClaimed}
 */
export type EndMismatch = (seen: Payin, end: MismatchEnd, confirmed?: TransactionLeg) => Promise<Payin>;

export function createEndMismatch(
  dynamo: DynamoDBDocumentClient,
  { payins: table, events }: { readonly payins: string; readonly events: string },
): EndMismatch {
  const checkTransfer = createCheckTransfer(dynamo, table);
  return async (seen, end, proposal) => {
    const mismatchEnds = [...(seen.mismatchEnds ?? []), end].slice(-MOST_ENDS);
    const [changes, indexKeys] = [{ mismatchEnds, mismatchedAt: undefined }, mismatchIndexKey(undefined)];
    const sequence = seen.sequence + 1;
    const { after, legs } = isOpen(seen.status)
      ? statusChangeOf({ table, events }, seen, 'FAILED', end.at, changes, indexKeys)
      : {
          after: { ...seen, ...changes, sequence },
          legs: { payin: { Update: conditionalUpdate(table, seen, { ...changes, ...indexKeys, sequence }) } },
        };
    const claim = end.reference === undefined ? {} : { transfer: claimOf(table, end.reference, seen.payinId) };
    const confirmed = proposal && { proposal };
    const failed = await writeWithEvents<'payin' | 'event' | 'transfer' | 'proposal'>(dynamo, {
      ...legs,
      ...claim,
      ...confirmed,
    });
    if (failed.has('payin') || failed.has('proposal')) throw new WriteConflict('sequence');
    if (failed.has('transfer') && end.reference !== undefined) await checkTransfer(end.reference, seen.payinId);
    if (failed.size > 0) throw new WriteConflict([...failed].join());
    return after;
  };
}

/** In upper case, so that two spellings of a reference are the same claim. */
const claimKey = (reference: string) => ({ payinId: `TRANSFER#${reference.toUpperCase()}`, record: 'CLAIM' });

/** Claims a transfer for one pay-in, which may claim it again. */
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

/** Checks the transfer before a second person is asked; the write checks it again. @throws {TransferAlreadyClaimed} */
export type CheckTransfer = (reference: string, payinId: string) => Promise<void>;

export function createCheckTransfer(dynamo: DynamoDBDocumentClient, table: string): CheckTransfer {
  return async (reference, payinId) => {
    const read = new GetCommand({ TableName: table, Key: claimKey(reference), ConsistentRead: true });
    const { Item } = await dynamo.send(read);
    const claimedBy = Item && claim.parse(Item).claimedBy;
    if (claimedBy !== undefined && claimedBy !== payinId) throw new TransferAlreadyClaimed(reference, claimedBy);
  };
}
