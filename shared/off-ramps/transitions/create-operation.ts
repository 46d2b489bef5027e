import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { assignAddress, findAssignment } from '#shared/off-ramps/store/claims.ts';
import { operationEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository, putOperation } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

/**
 * Puts a new operation and its first event, and assigns its deposit address; false when the id exists. The address may
 * be one of the same user's whose operation no longer awaits a deposit.
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
  const put = (previous?: string) =>
    transact(dynamo, {
      operation: putOperation(tables.operations, operation),
      address: assignAddress(tables.hashes, operation, previous),
      ...operationEvents({ table: tables.events, now }, undefined, operation),
    });

  const lost = await put();
  if (lost.has('operation')) return false;
  if (!lost.has('address')) return true;
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
