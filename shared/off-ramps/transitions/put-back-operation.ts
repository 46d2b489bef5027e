import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { changeKey, type EventKey, storedEvent, subjectOf } from '#shared/events/service-event.ts';
import { OPERATION_STATUS_CHANGED, operationStatusChanged } from '#shared/off-ramps/contract/off-ramp-events.ts';
import { fixedAtCreation, mayEndAs, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { assignAddress, findAssignment } from '#shared/off-ramps/store/address-owners.ts';
import { lastSequence } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { createOffRampRepository, putOperation } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

interface Tables {
  readonly operations: string;
  readonly hashes: string;
  readonly events: string;
}

/** The first event of an operation; one of an earlier release keeps nothing beside it. */
const creation = z.extend(storedEvent, { made: z.optional(fixedAtCreation) });

const told = z.object({ data: operationStatusChanged.shape.data });

/** Whether it was put back, now or by an earlier try, or why not. */
export type PutBack =
  | { readonly outcome: 'PUT_BACK'; readonly operation: OffRamp }
  | { readonly outcome: 'EXISTS'; readonly operation: OffRamp }
  /** No event says that it was created, or none that keeps what that fixed. */
  | { readonly outcome: 'NO_RECORD' }
  | { readonly outcome: 'ADDRESS_TAKEN'; readonly by: string };

/**
 * Puts an operation that a restore has lost, and its deposit address, back from its events, in one transaction. Its
 * sequence is that of its last event, so that clients take what follows as newer. It awaits its deposit, and what had
 * become of that comes again from the custodian and the payout service; if it ended before it had one, it is ended. The
 * address may be one of an earlier operation of the same user that awaits no deposit any more, as at the creation, or of
 * any that ended without one; an ended one leaves it to a later operation of the same user.
 *
 * @throws {WriteConflict}
 */
export function createPutBack(dynamo: DynamoDBDocumentClient, tables: Tables) {
  const operations = createOffRampRepository(dynamo, tables.operations);

  /** The leg that assigns it, none where an ended operation leaves it to a later one, or whose it is. */
  const ofItsAddress = async (operation: OffRamp) => {
    const assigned = await findAssignment(dynamo, tables.hashes, operation);
    const previous = assigned && (await operations.find(assigned.operationId));
    if (assigned === undefined || isFreeFor(operation, assigned, previous)) {
      return { address: assignAddress(tables.hashes, operation, assigned?.operationId) };
    }
    const isLeft = operation.status !== 'AWAITING_DEPOSIT' && assigned.userId === operation.userId;
    return isLeft ? {} : { by: assigned.operationId };
  };

  /** Its creation may be in the restored tables without its address, which nobody else has then. */
  const withItsAddress = async (operation: OffRamp): Promise<PutBack> => {
    const assigned = await findAssignment(dynamo, tables.hashes, operation);
    const { address } = assigned?.operationId === operation.operationId ? {} : await ofItsAddress(operation);
    if (address === undefined) return { outcome: operation.putBackAt === undefined ? 'EXISTS' : 'PUT_BACK', operation };
    const lost = await transact(dynamo, { address });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
    return { outcome: 'PUT_BACK', operation };
  };

  return async (operationId: string, now: Date): Promise<PutBack> => {
    const existing = await operations.find(operationId);
    if (existing !== undefined) return withItsAddress(existing);
    const made = await findMade(dynamo, tables.events, operationId);
    if (made === undefined) return { outcome: 'NO_RECORD' };
    const operation: OffRamp = { ...made, putBackAt: now.toISOString() };
    const address = await ofItsAddress(operation);
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

/** The key of the event of its creation. */
function creationKey(operationId: string): EventKey {
  return changeKey(subjectOf('operation', operationId), OPERATION_STATUS_CHANGED, undefined, 1);
}

/** An operation as its creation made it, or as it ended without a deposit, after its last event. */
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
    sequence: await lastSequence(dynamo, table, key),
    createdAt: occurredAt,
    attempt: 0,
  };
}

/** The end that the last event about its status tells, if it is one without a deposit. */
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
