import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Deposit, depositStatusOf, type Settlement } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { statusAsRead } from '#shared/off-ramps/store/deposit-polls.ts';
import { operationKey } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

interface Tables {
  readonly deposits: string;
  readonly operations: string;
  readonly hashes: string;
}

/** The hash of the return has already settled another deposit. */
export class ReturnHashUsed extends Error {
  override readonly name = 'ReturnHashUsed';
}

/**
 * Removes a deposit from the lists of finance operations (decisions.md 9, Until returns are built), and changes nothing
 * else: no status, no claim, no event. Only if it is still as read, and no operation whose payout may be for it is
 * reported as paid out meanwhile.
 *
 * @throws {WriteConflict} when something changed after the read @throws {ReturnHashUsed} unless one transaction
 * returned several
 */
export function createSettleDeposit(dynamo: DynamoDBDocumentClient, tables: Tables) {
  return async (seen: Deposit, settled: Settlement, isBatch: boolean, paidFor: string | undefined): Promise<void> => {
    const lost = await transact(dynamo, {
      deposit: settleLeg(tables.deposits, seen, settled),
      ...(paidFor !== undefined && { operation: unpaid(tables.operations, paidFor, settled) }),
      ...(settled.hash !== undefined && { hash: useHash(tables.hashes, seen, settled.hash, isBatch) }),
    });
    if (lost.has('hash') && lost.size === 1) throw new ReturnHashUsed(settled.hash);
    if (lost.size > 0) throw new WriteConflict([...lost].join());
  };
}

export type SettleDeposit = ReturnType<typeof createSettleDeposit>;

function settleLeg(
  table: string,
  { custodianTransferId, creditedAt, operationId, sequence }: Deposit,
  settled: Settlement,
): TransactionLeg {
  const asRead = statusAsRead(sequence);
  const place =
    creditedAt === undefined
      ? 'unmatched = :place AND attribute_not_exists(creditedAt)'
      : 'owed = :place AND operationId = :operation';
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'SET settled = :settled REMOVE unmatched, unmatchedSince, owed, owedSince',
      ConditionExpression: `attribute_not_exists(settled) AND ${place} AND ${asRead.condition}`,
      ExpressionAttributeNames: { '#sequence': 'sequence' },
      ExpressionAttributeValues: {
        ...asRead.values,
        ':settled': settled,
        ':place': creditedAt === undefined ? 'UNMATCHED' : 'OWED',
        ...(creditedAt !== undefined && { ':operation': operationId }),
      },
    },
  };
}

/** Nothing is returned if it was paid out, or if that is unknown. */
function unpaid(table: string, operationId: string, { outcome }: Settlement): TransactionLeg {
  return outcome === 'RETURNED' ? unpaidOut(table, operationId) : uncontradicted(table, operationId);
}

/** The check that an operation was not paid out, as far as is known, and no reports of that contradict each other. */
export function unpaidOut(table: string, operationId: string): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: operationKey(operationId),
      ConditionExpression:
        'attribute_not_exists(contradictedSince) AND (attribute_not_exists(paidOut) OR paidOut <> :paid)',
      ExpressionAttributeValues: { ':paid': true },
    },
  };
}

function uncontradicted(table: string, operationId: string): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: operationKey(operationId),
      ConditionExpression: 'attribute_not_exists(contradictedSince)',
    },
  };
}

/** A used hash stays used for ever, even after the settlement is undone. */
function useHash(
  table: string,
  { custodianTransferId, network }: Deposit,
  hash: string,
  isBatch: boolean,
): TransactionLeg {
  const Key = { claim: `SETTLED#${network}#${hash}` };
  return {
    Update: {
      TableName: table,
      Key,
      UpdateExpression: 'SET custodianTransferId = if_not_exists(custodianTransferId, :own)',
      ...(!isBatch && { ConditionExpression: 'attribute_not_exists(claim) OR custodianTransferId = :own' }),
      ExpressionAttributeValues: { ':own': custodianTransferId },
    },
  };
}

/** Puts a settled deposit back into its list. @throws {WriteConflict} */
export function createUnsettleDeposit(dynamo: DynamoDBDocumentClient, tables: Pick<Tables, 'deposits' | 'operations'>) {
  return async (seen: Deposit, owing: OffRamp | undefined, now: Date): Promise<void> => {
    const { custodianTransferId, sequence } = seen;
    const asRead = statusAsRead(sequence);
    const { expression, names, values } = assignments({ settled: undefined, ...placeOf(seen, owing, now) });
    const all = { ...values, ...asRead.values };
    const lost = await transact(dynamo, {
      deposit: {
        Update: {
          TableName: tables.deposits,
          Key: { custodianTransferId },
          UpdateExpression: expression,
          ConditionExpression: `attribute_exists(settled) AND ${asRead.condition}`,
          ExpressionAttributeNames: { ...names, '#sequence': 'sequence' },
          ...(Object.keys(all).length > 0 && { ExpressionAttributeValues: all }),
        },
      },
      ...(owing && { operation: asReadOperation(tables.operations, owing) }),
    });
    if (lost.size > 0) throw new WriteConflict([...lost].join());
  };
}

export type UnsettleDeposit = ReturnType<typeof createUnsettleDeposit>;

/** The list that it belongs to. */
function placeOf(seen: Deposit, owing: OffRamp | undefined, now: Date): Partial<Deposit> {
  const at = now.toISOString();
  const status = depositStatusOf(seen);
  const owed = owing === undefined ? {} : ({ owed: 'OWED', owedSince: at } as const);
  if (status === 'UNMATCHED' || (status === 'HELD' && seen.firstUnmatchedAt !== undefined))
    return { unmatched: 'UNMATCHED', unmatchedSince: seen.firstUnmatchedAt ?? at };
  return status === 'REVERSED' ? { ...owed, unmatchedSince: at } : owed;
}

function asReadOperation(table: string, { operationId, sequence }: OffRamp): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: operationKey(operationId),
      ConditionExpression: '#sequence = :sequence',
      ExpressionAttributeNames: { '#sequence': 'sequence' },
      ExpressionAttributeValues: { ':sequence': sequence },
    },
  };
}
