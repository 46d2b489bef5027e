import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import { creditDeposit } from './deposit-store.ts';
import { claimantOf, fundWithHash, releaseDeclaration } from './hash-claims.ts';
import type { OffRamp } from './off-ramp.ts';
import { operationEvents } from './off-ramp-event-records.ts';
import { changeStatus, createOffRampStore } from './off-ramp-store.ts';

export interface DepositTables {
  readonly operations: string;
  readonly hashes: string;
  readonly deposits: string;
  readonly events: string;
}

/** The result for a confirmed transfer that an operation awaits. */
export type Confirmation =
  | { readonly outcome: 'CREDITED'; readonly operation: OffRamp }
  /** The operation awaits no deposit any more; `operation` says why. */
  | { readonly outcome: 'NOT_AWAITING'; readonly operation: OffRamp }
  /** The transaction already funds another operation, whose client this is. */
  | {
      readonly outcome: 'FUNDS_ANOTHER_OPERATION';
      readonly operation: OffRamp;
      readonly otherClientId?: string | undefined;
    };

/**
 * Credits a confirmed transfer, which `isAwaitedBy` the operation, in one transaction: the operation moves to PENDING
 * with its verified hash, the hash is funded for ever, a declaration of another hash is released, the deposit is marked
 * as credited, and the events are put in the outbox. The state machine and the custodian's notifications both use it;
 * the second one changes nothing. Who has declared the hash does not matter: the deposit is its address's operation's.
 */
export function createConfirmDeposit(
  dynamo: DynamoDBDocumentClient,
  tables: DepositTables,
  clock: Clock,
  newId: () => string,
) {
  const operations = createOffRampStore(dynamo, tables.operations);

  const decide = async (operationId: string, transfer: CustodianTransfer): Promise<Confirmation> => {
    const seen = await operations.find(operationId);
    if (seen === undefined) throw new Error(`Operation ${operationId} is gone.`);
    if (seen.status !== 'AWAITING_DEPOSIT') return { outcome: 'NOT_AWAITING', operation: seen };
    const { txHash } = transfer;
    const now = clock.now();
    const change = { status: 'PENDING', at: now.toISOString(), verifiedTxHash: txHash } as const;
    const after: OffRamp = { ...seen, status: 'PENDING', verifiedTxHash: txHash, sequence: seen.sequence + 1 };
    const lost = await transact(dynamo, {
      operation: changeStatus(tables.operations, seen, change),
      funded: fundWithHash(tables.hashes, txHash, operationId),
      ...releaseDeclaration(tables.hashes, seen, txHash),
      deposit: creditDeposit(tables.deposits, transfer, after, now),
      ...operationEvents({ table: tables.events, now, newId }, seen, after),
    });
    if (lost.size === 0) return { outcome: 'CREDITED', operation: after };
    if (lost.has('operation')) throw new WriteConflict([...lost].join());
    const funded = await claimantOf(dynamo, tables.hashes, 'FUNDED', txHash);
    const other = funded === undefined ? undefined : await operations.find(funded);
    return { outcome: 'FUNDS_ANOTHER_OPERATION', operation: seen, otherClientId: other?.clientId };
  };

  return (operationId: string, transfer: CustodianTransfer): Promise<Confirmation> =>
    retryOnConflict(clock, () => decide(operationId, transfer));
}

export type ConfirmDeposit = ReturnType<typeof createConfirmDeposit>;
