import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contradictionAdded, isOwed } from '#shared/off-ramps/model/contradictions.ts';
import type { Contradiction, EndStatus, OffRamp, Payout } from '#shared/off-ramps/model/off-ramp.ts';
import { releaseDeclaration } from '#shared/off-ramps/store/claims.ts';
import { updateOwedList } from '#shared/off-ramps/store/finance-lists.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { operationEvents, writeWithEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { CONTRADICTED, markEnded } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { log } from '#shared/platform/logger.ts';
import type { DepositTables } from './write-credit.ts';

interface End {
  readonly status: EndStatus;
  readonly reason?: string | undefined;
  /** The id of the other service's event that ends the operation. */
  readonly eventId?: string | undefined;
  readonly payout?: Payout | undefined;
  /** Set if the event contradicts a person's earlier decision; stays open until a person decides again. */
  readonly contradiction?: Contradiction | undefined;
}

/**
 * Ends an operation in one transaction, with its events in the outbox. An operation that awaits its deposit leaves the
 * index and releases its declared hash; a search for that hash starts, so that a late deposit is noticed. An operation
 * with a deposit has no declared hash; if it was not paid out, its deposit is owed from now on.
 *
 * @throws {WriteConflict} when the operation, or an existing search for its hash, changed after the read.
 */
export function createEndOperation(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const searches = createHashSearches(dynamo, tables.deposits, clock);

  return async (seen: OffRamp, { status, reason, eventId: endedBy, payout, contradiction }: End): Promise<OffRamp> => {
    const now = clock.now();
    const endedAt = now.toISOString();
    // A payout overrides a person's earlier decision.
    const known = {
      ...{ status, endedAt, endReason: reason, endedBy },
      ...(status === 'COMPLETED' && { payout, paidOut: undefined }),
      ...(contradiction && contradictionAdded(seen, contradiction)),
    };
    const contradictedShard = contradiction && { contradictedShard: shardOf(CONTRADICTED, seen.operationId) };
    const after: OffRamp = {
      ...seen,
      ...known,
      sequence: seen.sequence + 1,
    };
    const lost = await writeWithEvents(dynamo, {
      operation: markEnded(tables.operations, seen, { ...known, ...contradictedShard }),
      ...releaseDeclaration(tables.hashes, seen),
      ...(await searches.takeOver(seen, now)),
      ...(await updateOwedList(dynamo, tables, seen, after, endedAt)),
      ...operationEvents({ table: tables.events, now }, seen, after),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    if (isOwed(after)) logOwed(after);
    return after;
  };
}

/** Raises an alarm: the service has a user's money, and nothing moves it automatically. */
export function logOwed({ operationId, status, verifiedTxHash }: OffRamp): void {
  log.error('DEPOSIT_OWED', { operationId, status, verifiedTxHash });
}

export type EndOperation = ReturnType<typeof createEndOperation>;
