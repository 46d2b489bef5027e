import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { eventSubject, parseChange, storedEvent } from '#shared/events/service-event.ts';
import { type EventSource, statusEvent } from '#shared/events/write-with-events.ts';
import {
  depositHashStatusChanged,
  depositHashWindowEnded,
  depositStatusChanged,
  OPERATION_STATUS_CHANGED,
  operationStatusChanged,
} from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, depositIdOf, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import { fixedAtCreation, hashStatusOf, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Mismatch, Verification } from '#shared/off-ramps/model/verification.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

/** Re-exported, so that transitions import the events and their write from one file. */
export { readLastSequence, readLastSequenceBefore, writeWithEvents } from '#shared/events/write-with-events.ts';

/**
 * The events of one write of an off-ramp: `before` is the off-ramp as read, `after` as the transaction leaves it.
 * Events never contain personal data (decisions.md 7, Payload).
 */
export function operationEvents(
  source: EventSource,
  before: OffRamp | undefined,
  after: OffRamp,
): { operationEvent?: TransactionLeg; hashEvent?: TransactionLeg } {
  const [hashBefore, hashAfter] = [before && hashStatusOf(before), hashStatusOf(after)];
  return {
    ...(before?.status !== after.status && {
      operationEvent: record(
        source,
        after,
        operationStatusChanged,
        { ...after, previousStatus: before?.status ?? null },
        before === undefined ? { made: fixedAtCreation.parse(after) } : {},
      ),
    }),
    ...(hashBefore !== undefined &&
      hashBefore !== hashAfter && {
        hashEvent: record(source, after, depositHashStatusChanged, {
          ...after,
          status: hashAfter,
          previousStatus: hashBefore,
        }),
      }),
  };
}

/** The event of a window's end. `operation` is as read, before the transaction raises its sequence. */
export function windowEndedEvent(
  source: EventSource,
  operation: OffRamp,
  verification: Verification,
  { reason }: Mismatch,
): TransactionLeg {
  return record(source, operation, depositHashWindowEnded, {
    ...operation,
    ...verification,
    reason,
    status: 'VERIFYING',
    previousStatus: 'VERIFYING',
    sequence: operation.sequence + 1,
  });
}

/** An event has the type and only the fields of its schema. */
function record<Data extends z.ZodMiniObject>(
  source: EventSource,
  { clientId }: OffRamp,
  schema: Typed & { readonly shape: { readonly data: Data } },
  of: z.input<Data>,
  kept: Readonly<Record<string, unknown>> = {},
): TransactionLeg {
  return statusEvent(source, { clientId, type: typeOf(schema) }, schema.shape.data.parse(of), kept);
}

interface Typed {
  readonly shape: { readonly type: z.ZodMiniLiteral<string> };
}

function typeOf({ shape }: Typed): string {
  const [type = ''] = shape.type.def.values;
  return type;
}

/** What else the transaction of a changed deposit writes; nothing if the status that its client sees stays. */
interface DepositStatusChange {
  readonly set: { readonly sequence?: number; readonly updatedAt?: string };
  readonly event?: TransactionLeg;
}

/**
 * The sequence and event of a changed deposit, for the same transaction: its client receives every status. There is no
 * event while the operation of the deposit's address is unknown.
 */
export function depositStatusChange(
  source: EventSource,
  before: Deposit | undefined,
  after: Deposit,
): DepositStatusChange {
  const { clientId, custodianTransferId, reasons } = after;
  const [from, to] = [before && statusKnown(before), statusKnown(after)];
  if (to === undefined || to === from || clientId === undefined) return { set: {} };
  const next = (before?.sequence ?? 0) + 1;
  const data = depositStatusChanged.shape.data.parse({
    ...after,
    depositId: depositIdOf(custodianTransferId),
    status: to,
    previousStatus: from ?? null,
    reasons: to === 'UNMATCHED' ? reasons : undefined,
    sequence: next,
  });
  return {
    set: { sequence: next, updatedAt: source.now.toISOString() },
    event: statusEvent(source, { clientId, type: typeOf(depositStatusChanged) }, data),
  };
}

function statusKnown(deposit: Deposit) {
  return deposit.operationId === undefined ? undefined : depositStatusOf(deposit);
}

/* Events as a record after other tables were restored to an earlier time: a restore undoes no event. */

const told = z.object({ data: z.object({ status: z.string() }) });

/** Statuses of an off-ramp that ended without a payout, and of a deposit that may have been sent back. */
const ENDED: readonly string[] = ['CANCELLED', 'FAILED', 'RETURN_REQUESTED', 'RETURNED'];

/** Lists the statuses that the events of an operation and of its deposits report. */
function createFindTold(dynamo: DynamoDBDocumentClient, table: string) {
  return async (operationId: string) => {
    const pages = paginateQuery(
      { client: dynamo },
      {
        TableName: table,
        KeyConditionExpression: 'subject = :subject',
        ExpressionAttributeValues: { ':subject': eventSubject('operation', operationId) },
        ConsistentRead: true,
      },
    );
    const items: Item[] = [];
    for await (const { Items = [] } of pages) items.push(...Items);
    return items
      .map((item) => storedEvent.parse(item))
      .map(({ change, type, body }) => ({
        type,
        depositId: parseChange(change)?.depositId,
        status: told.parse(JSON.parse(body)).data.status,
      }));
  };
}

/**
 * True if only a part of a credit may be stored: the deposit is credited to the operation, which may still await it, or
 * the operation has the transaction, and an event says that this deposit was credited to it.
 */
export function createIsHalfCredited(dynamo: DynamoDBDocumentClient, table: string) {
  const findTold = createFindTold(dynamo, table);
  return async (
    { operationId, status, verifiedTxHash }: OffRamp,
    { custodianTransferId, txHash }: CustodianTransfer,
    deposit: Deposit | undefined,
  ): Promise<boolean> => {
    const isOfIt = verifiedTxHash === txHash;
    if (deposit?.creditedAt !== undefined)
      return deposit.operationId === operationId && (isOfIt || status === 'AWAITING_DEPOSIT');
    if (!isOfIt || deposit?.settled !== undefined) return false;
    const depositId = depositIdOf(custodianTransferId);
    return (await findTold(operationId)).some((one) => one.depositId === depositId && one.status === 'CREDITED');
  };
}

/**
 * True if an event contradicts that the deposit funds the off-ramp: the off-ramp had ended, another deposit had funded
 * it, or the return of this deposit was requested. The money may be with its sender again,
 * or have been paid out for another off-ramp, so a person decides about it. Later events do not override this: after a
 * restore, a deposit is detected once more.
 */
export function createIsContradictedByEvents(dynamo: DynamoDBDocumentClient, table: string) {
  const findTold = createFindTold(dynamo, table);
  return async (operationId: string, custodianTransferId: string): Promise<boolean> =>
    (await findTold(operationId)).some(({ type, depositId, status }) => {
      const isOfDeposit = depositId === depositIdOf(custodianTransferId);
      return isOfDeposit || type === OPERATION_STATUS_CHANGED ? ENDED.includes(status) : status === 'CREDITED';
    });
}
