import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { assignAddress, findAssignment } from '#shared/off-ramps/store/address-owners.ts';
import { lastSequenceBefore, operationEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository, putOperation } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { createPutBack } from './put-back-operation.ts';

/**
 * Puts a new operation and its first event, and assigns its deposit address; false when the one of its id is another,
 * and has to be read. The address may be one of the same user's whose operation no longer awaits a deposit.
 *
 * If the event is there and the operation is not, the table was restored to an earlier time: a repeated creation puts back
 * what its first try made, whose address the user may have; where that cannot be, the new one goes on after the last event.
 *
 * @throws {WriteConflict} when the address went to another operation meanwhile. @throws when the address is another
 * user's, or another operation still awaits its deposit there: the custodian must not give such an address.
 */
export async function createOperation(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly hashes: string; readonly events: string },
  operation: OffRamp,
): Promise<boolean> {
  const now = new Date(operation.createdAt);
  const events = operationEvents({ table: tables.events, now }, undefined, operation);
  const put = (previous?: string) =>
    transact(dynamo, {
      operation: putOperation(tables.operations, operation),
      address: assignAddress(tables.hashes, operation, previous),
      ...events,
    });

  const lost = await put();
  if (lost.size === 0) return true;
  if (lost.has('operation')) return false;
  if (lost.has('operationEvent') && events.operationEvent) {
    const { outcome } = await createPutBack(dynamo, tables)(operation.operationId, now);
    if (outcome === 'PUT_BACK' || outcome === 'EXISTS') return false;
    const last = await lastSequenceBefore(dynamo, events.operationEvent);
    await createOperation(dynamo, tables, { ...operation, sequence: last + 1 });
    return false;
  }
  const taken = await put(await previousOf(dynamo, tables, operation));
  if (taken.size > 0) throw new WriteConflict([...taken].join());
  return true;
}

/** The previous operation of the address. It never awaits a deposit again, so this cannot change before the write. */
async function previousOf(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly hashes: string },
  operation: OffRamp,
): Promise<string> {
  const { operationId, userId } = operation;
  const assigned = await findAssignment(dynamo, tables.hashes, operation);
  if (assigned?.userId !== userId) throw new Error(`The deposit address of ${operationId} belongs to another user.`);
  const previous = await createOffRampRepository(dynamo, tables.operations).find(assigned.operationId);
  if (previous?.status !== 'AWAITING_DEPOSIT') return assigned.operationId;
  throw new Error(
    `The deposit address of ${operationId} is that of ${assigned.operationId}, which awaits its deposit.`,
  );
}
