import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { OffRamp } from '#shared/domain/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { releaseDeclaration } from './hash-claims.ts';
import { leaveAwaitingDeposit } from './operation-updates.ts';
import { operationEvents } from './outbox.ts';
import { transact, WriteConflict } from './transaction.ts';

/**
 * Ends an operation that still awaits its deposit, in one transaction: its declared hash is free again, it is found by
 * no deposit any more, and the events are put in the outbox.
 *
 * @throws {WriteConflict} when the operation was written since it was read.
 */
export function enderWithoutDeposit(
  dynamo: DynamoDBClient,
  tables: { readonly operations: string; readonly hashes: string; readonly events: string },
  clock: Clock,
  newId: () => string,
) {
  return async (seen: OffRamp, end: { status: 'CANCELLED' | 'FAILED'; reason?: string }): Promise<OffRamp> => {
    const now = clock.now();
    const change = { ...end, at: now.toISOString() };
    const after: OffRamp = {
      ...seen,
      status: end.status,
      sequence: seen.sequence + 1,
      statusHistory: [...seen.statusHistory, change],
    };
    const lost = await transact(dynamo, {
      operation: leaveAwaitingDeposit(tables.operations, seen, change),
      ...releaseDeclaration(tables.hashes, seen),
      ...operationEvents({ table: tables.events, now, newId }, seen, after),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return after;
  };
}

export type EndWithoutDeposit = ReturnType<typeof enderWithoutDeposit>;
