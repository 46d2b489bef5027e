import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EndStatus, OffRamp } from '#shared/domain/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { releaseDeclaration } from './hash-claims.ts';
import { changeStatus } from './operation-updates.ts';
import { operationEvents } from './outbox.ts';
import { transact, WriteConflict } from './transaction.ts';

/**
 * Ends an operation in one transaction, with its events in the outbox. One that still awaits its deposit gives the hash
 * it declared back, and is found by no deposit any more; after a deposit there is nothing to give back.
 *
 * @throws {WriteConflict} when the operation was written since it was read.
 */
export function operationEnder(
  dynamo: DynamoDBClient,
  tables: { readonly operations: string; readonly hashes: string; readonly events: string },
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
      ...(seen.status === 'AWAITING_DEPOSIT' && releaseDeclaration(tables.hashes, seen)),
      ...operationEvents({ table: tables.events, now, newId }, seen, after),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return after;
  };
}

export type EndOperation = ReturnType<typeof operationEnder>;
