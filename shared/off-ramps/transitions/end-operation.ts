import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contradictedBy, isOwed } from '#shared/off-ramps/model/contradictions.ts';
import type { Contradiction, EndStatus, OffRamp, Payout } from '#shared/off-ramps/model/off-ramp.ts';
import { oweDeposit } from '#shared/off-ramps/store/deposit-lists.ts';
import { releaseDeclaration } from '#shared/off-ramps/store/hash-claims.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { operationEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { CONTRADICTED, markEnded } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { log } from '#shared/platform/logger.ts';
import type { DepositTables } from './confirm-deposit.ts';

interface End {
  readonly status: EndStatus;
  readonly reason?: string | undefined;
  /** Of the event of another service that says so. */
  readonly eventId?: string | undefined;
  readonly payout?: Payout | undefined;
  /** What it says against what a person has found out: it stands until a person decides again. */
  readonly contradiction?: Contradiction | undefined;
}

/**
 * Ends an operation in one transaction, with its events in the outbox. An operation that still awaits its deposit is
 * removed from the index of those, and releases the hash that it declared. The hash is looked for, so that a late
 * deposit is noticed. After a deposit there is nothing to release; if it was not paid out, it is owed from now on.
 *
 * @throws {WriteConflict} when the operation was written since it was read, or the search that its hash has already.
 */
export function createEndOperation(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const searches = createHashSearches(dynamo, tables.deposits, clock);

  /** The legs that release a declared hash and have it looked for. */
  const handOver = async (seen: OffRamp, now: Date) => ({
    ...releaseDeclaration(tables.hashes, seen),
    ...(await searches.takeOver(seen, now)),
  });

  return async (seen: OffRamp, { status, reason, eventId: endedBy, payout, contradiction }: End): Promise<OffRamp> => {
    const now = clock.now();
    const change = { status, reason, at: now.toISOString() };
    // Once it is paid, what a person found out before holds no more.
    const known = {
      endedBy,
      ...(status === 'COMPLETED' && { payout, paidOut: undefined }),
      ...(contradiction && contradictedBy(seen, contradiction)),
    };
    const contradictedShard = contradiction && { contradictedShard: shardOf(CONTRADICTED, seen.operationId) };
    const after: OffRamp = {
      ...seen,
      ...known,
      status,
      sequence: seen.sequence + 1,
      statusHistory: [...seen.statusHistory, change],
    };
    const lost = await transact(dynamo, {
      operation: markEnded(tables.operations, seen, change, { ...known, ...contradictedShard }),
      ...(seen.status === 'AWAITING_DEPOSIT' && (await handOver(seen, now))),
      ...oweDeposit(tables.deposits, seen, after, change.at),
      ...operationEvents({ table: tables.events, now }, seen, after),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    if (isOwed(after)) logOwed(after);
    return after;
  };
}

/** Somebody is called: a user's money is here, and nothing moves it any more. */
export function logOwed({ operationId, status, verifiedTransferId: custodianTransferId }: OffRamp): void {
  log.error('DEPOSIT_OWED', { operationId, status, custodianTransferId });
}

export type EndOperation = ReturnType<typeof createEndOperation>;
