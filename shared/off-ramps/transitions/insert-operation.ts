import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { assignAddress, findAssignment } from '#shared/off-ramps/store/address-owners.ts';
import { operationEvents, readLastSequenceBefore } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository, putOperation } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { createPutBack } from './put-back-operation.ts';

/**
 * Writes a new operation with its first event, and assigns its deposit address. Returns false when the stored operation
 * is not the given one, so the caller must read it. The address may come from an earlier operation of the same user
 * that no longer awaits a deposit.
 *
 * If the event exists without the operation, the table was restored to an earlier time. A repeated creation then puts
 * back the operation of its first try, because the user may already have its address. If that is impossible, the new
 * operation is written with the sequence after the last event.
 *
 * @throws {WriteConflict} when the address went to another operation meanwhile. @throws when the address belongs to
 * another user, or to an operation that still awaits its deposit: the custodian must not give such an address.
 */
export async function insertOperation(
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
    const last = await readLastSequenceBefore(dynamo, events.operationEvent);
    await insertOperation(dynamo, tables, { ...operation, sequence: last + 1 });
    return false;
  }
  const taken = await put(await previousOf(dynamo, tables, operation));
  if (taken.size > 0) throw new WriteConflict([...taken].join());
  return true;
}

/** The previous operation of the address. It no longer awaits a deposit and never will, so no write can change that. */
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
