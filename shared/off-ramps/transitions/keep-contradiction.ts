import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { contradictedBy, paidAgainBy, resolvedAs } from '#shared/off-ramps/model/contradictions.ts';
import type { Said } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { type Contradiction, type OffRamp, payout } from '#shared/off-ramps/model/off-ramp.ts';
import { oweDeposit } from '#shared/off-ramps/store/deposit-lists.ts';
import { CONTRADICTED, setAttributes } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

/**
 * Writes of what is said against the status of an operation. The status stays, so that clients hear nothing; the sequence
 * grows, so that whoever has read the operation before decides again. With each of them the deposit is put on the list of
 * those that are owed, or taken off it.
 */
export function createContradictionRepository(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly deposits: string },
  clock: Clock,
) {
  /** @throws {WriteConflict} when the operation was written since it was read. */
  async function write(seen: OffRamp, change: Partial<OffRamp>): Promise<OffRamp> {
    // What could not be read again would be an operation that nobody could read.
    z.optional(payout).parse(change.payout);
    const after = { ...seen, ...change, sequence: seen.sequence + 1 };
    const contradictedShard = after.contradictedSince && shardOf(CONTRADICTED, seen.operationId);
    const lost = await transact(dynamo, {
      operation: setAttributes(tables.operations, seen, { ...change, contradictedShard }),
      ...oweDeposit(tables.deposits, seen, after, clock.now().toISOString()),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return after;
  }

  return {
    /** Keeps what contradicts the status, until a person decides. */
    keep: (seen: OffRamp, said: Contradiction) => write(seen, contradictedBy(seen, said)),

    /** Takes over a payout that was made in the place of one that came back. */
    payAgain: (seen: OffRamp, said: Said) => write(seen, paidAgainBy(seen, said, clock.now().toISOString())),

    /** A person has decided whether it was paid out. */
    resolve: (seen: OffRamp, paidOut: boolean) => write(seen, resolvedAs(seen, paidOut, clock.now().toISOString())),
  };
}

export type ContradictionStore = ReturnType<typeof createContradictionRepository>;
