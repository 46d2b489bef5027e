import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EventSource } from '#shared/events/write-with-events.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, transferAttributes } from '#shared/off-ramps/model/deposit.ts';
import { answerReadable } from '#shared/off-ramps/model/deposit-changes.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { claimMovement, fundWithHash, releaseDeclaration } from '#shared/off-ramps/store/claims.ts';
import { pollTimes, statusUnchanged } from '#shared/off-ramps/store/deposit-polls.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import {
  depositStatusChange,
  operationEvents,
  writeWithEvents,
} from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { markCredited } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

export interface DepositTables {
  readonly operations: string;
  readonly hashes: string;
  readonly deposits: string;
  readonly events: string;
}

/**
 * For a credit by operators: a further condition on the deposit, with `#name` for its attributes, and further legs of
 * the transaction.
 */
interface Further {
  readonly asRead?:
    | {
        readonly condition: string;
        readonly values: Readonly<Record<string, unknown>>;
      }
    | undefined;
  readonly also?: Readonly<Record<string, TransactionLeg>>;
}

/**
 * The one transaction that credits a deposit. `lost` has the legs whose condition failed; nothing is written unless it
 * is empty. A restore may have kept only the credited operation or only the credited deposit: that item is not written
 * again, and the other one gets the same time of credit.
 */
export function createWriteCredit(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const searches = createHashSearches(dynamo, tables.deposits, clock);
  return async (
    seen: OffRamp,
    transfer: CustodianTransfer,
    deposit: Deposit | undefined,
    { asRead, also }: Further = {},
  ): Promise<{ readonly lost: ReadonlySet<string>; readonly after: OffRamp }> => {
    const { operationId } = seen;
    const { txHash } = transfer;
    const source = { table: tables.events, now: clock.now() };
    const at = deposit?.creditedAt ?? source.now.toISOString();
    const change = { status: 'PENDING', verifiedTxHash: txHash, creditedAt: at } as const;
    const isOperationCredited = seen.verifiedTxHash === txHash;
    const isDepositCredited =
      deposit?.creditedAt !== undefined && deposit.operationId === operationId && asRead === undefined;
    const after: OffRamp = isOperationCredited ? seen : { ...seen, ...change, sequence: seen.sequence + 1 };
    const lost = await writeWithEvents<string>(dynamo, {
      ...(!isOperationCredited && { operation: markCredited(tables.operations, seen, at, txHash) }),
      funded: fundWithHash(tables.hashes, transfer, operationId),
      movement: claimMovement(tables.hashes, transfer),
      ...releaseDeclaration(tables.hashes, seen, txHash),
      ...(await searches.takeOver(seen, source.now, txHash)),
      ...operationEvents(source, seen, after),
      ...(!isDepositCredited && depositLegs(tables.deposits, source, deposit, { transfer, after, asRead })),
      ...also,
    });
    return { lost, after };
  };
}

function depositLegs(
  table: string,
  source: EventSource,
  seen: Deposit | undefined,
  {
    transfer,
    after,
    asRead,
  }: Pick<Further, 'asRead'> & { readonly transfer: CustodianTransfer; readonly after: OffRamp },
) {
  const credited = creditedDeposit(seen, transfer, after, source.now);
  const { set, event } = depositStatusChange(source, seen, credited);
  const deposit = markDepositCredited(table, seen, { ...credited, ...set }, source.now, asRead);
  return { deposit, ...(event && { depositEvent: event }) };
}

/**
 * The deposit after its credit: it belongs to the operation and is no longer unmatched. Without an earlier
 * notification, `firstNotifiedAt` is the creation of the operation, so that polls ask the custodian for transfers since
 * then.
 */
function creditedDeposit(
  seen: Deposit | undefined,
  transfer: CustodianTransfer,
  { operationId, userId, clientId, createdAt, creditedAt }: OffRamp,
  now: Date,
): Deposit {
  const { custodianTransferId, network, txHash } = transfer;
  const at = now.toISOString();
  return {
    ...(seen ?? { firstNotifiedAt: createdAt, lastNotifiedAt: at }),
    ...{ custodianTransferId, network, txHash, operationId, userId, clientId, ...transferAttributes(transfer) },
    detectedAt: seen?.detectedAt ?? at,
    creditedAt: creditedAt ?? at,
    arrivingAt: undefined,
    ignoredReason: undefined,
    leftOutOf: undefined,
    ...answerReadable,
    unmatched: undefined,
    unmatchedSince: undefined,
    firstUnmatchedAt: undefined,
    reasons: undefined,
  };
}

/**
 * The leg that writes a credited deposit, once, if its status is still as read. The deposit is polled within minutes,
 * whatever was planned: another poll may have found it gone meanwhile and planned the next poll much later. Its watch
 * starts now, because the watch since an old notification may already be over.
 */
function markDepositCredited(
  table: string,
  seen: Deposit | undefined,
  { custodianTransferId, firstNotifiedAt, lastNotifiedAt, nextPollAt, ...credited }: Deposit,
  now: Date,
  further?: Further['asRead'],
): TransactionLeg {
  const due = pollTimes(custodianTransferId, now.toISOString(), messageLostAt(now));
  const isSoon = nextPollAt !== undefined && nextPollAt <= messageLostAt(now);
  const { expression, names, values } = assignments(
    { ...credited, ...(!isSoon && due) },
    { firstNotifiedAt, lastNotifiedAt, ...(isSoon && due) },
  );
  const asRead = statusUnchanged(seen?.sequence);
  // A deposit without an operation has no sequence to compare.
  const isNew = seen?.firstUnmatchedAt === undefined ? ['attribute_not_exists(firstUnmatchedAt)'] : [];
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: expression,
      ConditionExpression: [
        'attribute_not_exists(creditedAt)',
        'attribute_not_exists(settled)',
        'attribute_not_exists(#return)',
        asRead.condition,
        ...isNew,
        ...(further === undefined ? [] : [further.condition]),
      ].join(' AND '),
      ExpressionAttributeNames: { ...names, '#return': 'return' },
      ExpressionAttributeValues: { ...values, ...asRead.values, ...further?.values },
    },
  };
}
