import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { changeKey, type EventKey, eventSubject, storedEvent } from '#shared/events/service-event.ts';
import { OPERATION_STATUS_CHANGED, operationStatusChanged } from '#shared/off-ramps/contract/off-ramp-events.ts';
import { fixedAtCreation, mayEndAs, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { assignAddress, findAssignment } from '#shared/off-ramps/store/address-owners.ts';
import { readLastSequence } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository, putOperation } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

interface Tables {
  readonly operations: string;
  readonly hashes: string;
  readonly events: string;
}

/** The first event of an operation. `made` is absent in events of earlier releases. */
const creation = z.extend(storedEvent, { made: z.optional(fixedAtCreation) });

const told = z.object({ data: operationStatusChanged.shape.data });

/** The result: PUT_BACK, now or by an earlier try, or why the operation was not put back. */
export type PutBackResult =
  | { readonly outcome: 'PUT_BACK'; readonly operation: OffRamp }
  | { readonly outcome: 'EXISTS'; readonly operation: OffRamp }
  /** No event records the creation, or the event does not keep the fields that the creation fixed. */
  | { readonly outcome: 'NO_RECORD' }
  | { readonly outcome: 'ADDRESS_TAKEN'; readonly by: string };

/**
 * Puts back an operation that a restore has lost, with its deposit address, from its events, in one transaction.
 * - Its sequence is that of its last event, so that clients take later events as newer.
 * - It awaits its deposit again: the custodian and the payout service report once more what became of that. If it had
 *   ended without a deposit, it is put back as ended.
 * - Its address may be taken from an earlier operation of the same user that no longer awaits a deposit, as at the
 *   creation, or from any operation of that user that ended without one. An ended operation leaves the address to a
 *   later operation of the same user.
 *
 * @throws {WriteConflict}
 */
export function createPutBack(dynamo: DynamoDBDocumentClient, tables: Tables) {
  const operations = createOffRampRepository(dynamo, tables.operations);

  /**
   * The leg that assigns the address; no leg if an ended operation leaves it to a later one; else the operation that
   * has it.
   */
  const addressLegFor = async (operation: OffRamp) => {
    const assigned = await findAssignment(dynamo, tables.hashes, operation);
    const previous = assigned && (await operations.find(assigned.operationId));
    if (assigned === undefined || isFreeFor(operation, assigned, previous)) {
      return { address: assignAddress(tables.hashes, operation, assigned?.operationId) };
    }
    const isLeft = operation.status !== 'AWAITING_DEPOSIT' && assigned.userId === operation.userId;
    return isLeft ? {} : { by: assigned.operationId };
  };

  /** Restored tables may have an operation without the assignment of its address: assigns it if nobody else has it. */
  const assignMissingAddress = async (operation: OffRamp): Promise<PutBackResult> => {
    const assigned = await findAssignment(dynamo, tables.hashes, operation);
    const { address } = assigned?.operationId === operation.operationId ? {} : await addressLegFor(operation);
    if (address === undefined) return { outcome: operation.putBackAt === undefined ? 'EXISTS' : 'PUT_BACK', operation };
    const lost = await transact(dynamo, { address });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return { outcome: 'PUT_BACK', operation };
  };

  return async (operationId: string, now: Date): Promise<PutBackResult> => {
    const existing = await operations.find(operationId);
    if (existing !== undefined) return assignMissingAddress(existing);
    const made = await findMade(dynamo, tables.events, operationId);
    if (made === undefined) return { outcome: 'NO_RECORD' };
    const operation: OffRamp = { ...made, putBackAt: now.toISOString() };
    const address = await addressLegFor(operation);
    if ('by' in address) return { outcome: 'ADDRESS_TAKEN', by: address.by };
    const lost = await transact(dynamo, { operation: putOperation(tables.operations, operation), ...address });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return { outcome: 'PUT_BACK', operation };
  };
}

function isFreeFor(
  operation: OffRamp,
  assigned: Pick<OffRamp, 'operationId' | 'userId'>,
  previous: OffRamp | undefined,
): boolean {
  if (assigned.operationId === operation.operationId) return true;
  if (assigned.userId !== operation.userId || previous === undefined) return false;
  if (previous.status === 'AWAITING_DEPOSIT') return false;
  const isLeft = operation.status === 'AWAITING_DEPOSIT' && previous.verifiedTxHash === undefined;
  return isLeft || previous.createdAt < operation.createdAt;
}

/** The key of the event of an operation's creation. */
function creationKey(operationId: string): EventKey {
  return changeKey(eventSubject('operation', operationId), OPERATION_STATUS_CHANGED, undefined, 1);
}

/** Rebuilds an operation from its events, as created or as ended without a deposit; `undefined` if none has it. */
async function findMade(
  dynamo: DynamoDBDocumentClient,
  table: string,
  operationId: string,
): Promise<OffRamp | undefined> {
  const key = creationKey(operationId);
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  const { clientId, occurredAt, body, made } = creation.parse(Item);
  if (made === undefined) return undefined;
  const { userId } = told.parse(JSON.parse(body)).data;
  return {
    ...{ operationId, clientId, userId, ...made },
    ...(await findEnd(dynamo, table, key)),
    sequence: await readLastSequence(dynamo, table, key),
    createdAt: occurredAt,
    attempt: 0,
  };
}

/** Reads the last status event: an end without a deposit, or AWAITING_DEPOSIT for any other status. */
async function findEnd(dynamo: DynamoDBDocumentClient, table: string, { subject, change }: EventKey) {
  const { Items = [] } = await dynamo.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'subject = :subject AND begins_with(#change, :type)',
      ExpressionAttributeNames: { '#change': 'change' },
      ExpressionAttributeValues: { ':subject': subject, ':type': change.slice(0, change.lastIndexOf('#') + 1) },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  const { body, occurredAt } = storedEvent.parse(Items[0]);
  const { status, previousStatus } = told.parse(JSON.parse(body)).data;
  if (previousStatus !== 'AWAITING_DEPOSIT' || !mayEndAs(previousStatus, status)) {
    return { status: 'AWAITING_DEPOSIT' } as const;
  }
  return { status, endedAt: occurredAt };
}
