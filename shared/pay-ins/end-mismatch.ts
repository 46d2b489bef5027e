import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { isOpen, type Payin } from './pay-in.ts';
import { changeOf, mismatched, statusChangeOf } from './pay-in-records.ts';

/**
 * Finance has settled with the client what was paid in place of what was ordered (decisions.md 5, Ending a mismatch): a
 * pay-in that is open has failed, one that has ended stays as it ended, and neither waits for anybody.
 *
 * @throws {WriteConflict} when the pay-in was written since it was read.
 */
export type EndMismatch = (seen: Payin, at: string) => Promise<Payin>;

export function createEndMismatch(
  dynamo: DynamoDBDocumentClient,
  { payins: table, events }: { readonly payins: string; readonly events: string },
  clock: Clock,
  newId: () => string,
): EndMismatch {
  return async (seen, mismatchEndedAt) => {
    const ended = { mismatchEndedAt, ...mismatched(undefined) };
    if (isOpen(seen.status)) {
      const { after, legs } = statusChangeOf({ table, events, newId }, seen, 'FAILED', mismatchEndedAt, ended);
      const lost = await transact(dynamo, legs);
      if (lost.size > 0) throw new WriteConflict([...lost].join());
      return { ...after, mismatchEndedAt };
    }
    const sequence = seen.sequence + 1;
    const update = new UpdateCommand(changeOf(table, seen, { ...ended, sequence }));
    if ((await unlessConditionFails(updateItem(dynamo, clock, update))) === undefined)
      throw new WriteConflict('sequence');
    return { ...seen, mismatchEndedAt, sequence };
  };
}
