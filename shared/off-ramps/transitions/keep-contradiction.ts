import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { contradictionAdded, contradictionsResolved, payoutReplaced } from '#shared/off-ramps/model/contradictions.ts';
import type { StatusReport } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { type Contradiction, type OffRamp, payout } from '#shared/off-ramps/model/off-ramp.ts';
import { addOwedDeposit, updateOwedList } from '#shared/off-ramps/store/finance-lists.ts';
import { CONTRADICTED, setAttributes } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

/**
 * Writes contradictions to operations. The status stays, so clients get no event. The sequence grows, so every other
 * writer that has read the operation must decide again. Each write also adds the deposit to the list `owed` or removes
 * it.
 */
export function createContradictionRepository(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly hashes: string; readonly deposits: string },
  clock: Clock,
) {
  /** @throws {WriteConflict} when the operation changed after it was read. */
  async function write(seen: OffRamp, change: Partial<OffRamp>): Promise<OffRamp> {
    // A payout that does not fit the schema would make the stored operation unreadable.
    z.optional(payout).parse(change.payout);
    const after = { ...seen, ...change, sequence: seen.sequence + 1 };
    const contradictedShard = after.contradictedSince && shardOf(CONTRADICTED, seen.operationId);
    const lost = await transact(dynamo, {
      operation: setAttributes(tables.operations, seen, { ...change, contradictedShard }),
      ...(await updateOwedList(dynamo, tables, seen, after, clock.now().toISOString())),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return after;
  }

  return {
    /** Keeps a contradiction until a person decides. */
    keep: (seen: OffRamp, contradiction: Contradiction) => write(seen, contradictionAdded(seen, contradiction)),

    /** Lists an owed deposit that is in no list: a restore to the second of an end may have kept only the end. */
    addOwedDeposit: (seen: OffRamp) => addOwedDeposit(dynamo, tables, seen, clock),

    /** Accepts a payout that replaces a returned one. */
    payAgain: (seen: OffRamp, report: StatusReport) =>
      write(seen, payoutReplaced(seen, report, clock.now().toISOString())),

    /** Writes a person's decision whether the operation was paid out. */
    resolve: (seen: OffRamp, paidOut: boolean) =>
      write(seen, contradictionsResolved(seen, paidOut, clock.now().toISOString())),
  };
}

export type ContradictionStore = ReturnType<typeof createContradictionRepository>;
