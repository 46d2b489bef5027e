import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import type { DepositTables } from './confirm-deposit.ts';
import { releaseDeclaration } from './hash-claims.ts';
import { startHashSearch } from './hash-searches.ts';
import type { EndStatus, OffRamp } from './off-ramp.ts';
import { operationEvents } from './off-ramp-event-records.ts';
import { changeStatus } from './off-ramp-store.ts';

/**
 * Ends an operation in one transaction, with its events in the outbox. An operation that still awaits its deposit is
 * removed from the index of those, and releases the hash that it declared. The hash is looked for, so that a late
 * deposit is noticed. After a deposit there is nothing to release.
 *
 * @throws {WriteConflict} when the operation was written since it was read.
 */
export function createEndOperation(
  dynamo: DynamoDBDocumentClient,
  tables: DepositTables,
  clock: Clock,
  newId: () => string,
) {
  return async (seen: OffRamp, end: { status: EndStatus; reason?: string | undefined }): Promise<OffRamp> => {
    const now = clock.now();
    const change = { ...end, at: now.toISOString() };
    const after: OffRamp = {
      ...seen,
      status: end.status,
      sequence: seen.sequence + 1,
      statusHistory: [...seen.statusHistory, change],
    };
    const lost = await transact(dynamo, {
      operation: changeStatus(tables.operations, seen, change),
      ...(seen.status === 'AWAITING_DEPOSIT' && handOver(tables, seen, now)),
      ...operationEvents({ table: tables.events, now, newId }, seen, after),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return after;
  };
}

/** The legs that release a declared hash and start a search for it. */
function handOver(tables: DepositTables, seen: OffRamp, now: Date) {
  const { network, txHash } = seen;
  return {
    ...releaseDeclaration(tables.hashes, seen),
    ...(txHash !== undefined && { search: startHashSearch(tables.deposits, { network, txHash }, now) }),
  };
}

export type EndOperation = ReturnType<typeof createEndOperation>;
