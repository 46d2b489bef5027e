import { normaliseTransactionHash, transactionHashFormat } from '#shared/networks/network.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { settleDepositContract, unsettleDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { isOwed, mayBePaidFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf, operationOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import {
  ReturnHashUsed,
  type SettleDeposit,
  type UnsettleDeposit,
} from '#shared/off-ramps/transitions/settle-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly findDeposit: FindDeposit;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly settle: SettleDeposit;
  readonly unsettle: UnsettleDeposit;
  readonly clock: Clock;
}

/** Milliseconds for which a deposit must be owed: its payout may still be reported. */
const OWED_FOR = 24 * 3600_000;

const outcomes = { returned: 'RETURNED', kept: 'KEPT' } as const;

export function settleDeposit(deps: Dependencies): Change<typeof settleDepositContract> {
  return async ({ custodianTransferId, outcome: given, hash: text, batch }, { who, reason }) => {
    const outcome = outcomes[given];
    const seen = await retryOnConflict(deps.clock, async () => {
      const deposit = await existing(deps, custodianTransferId);
      const hash = hashOf(deposit, outcome, text);
      const now = deps.clock.now();
      refuseUnlessListed(deposit, now);
      const paidFor = await operationPaidFor(deps, deposit);
      if (paidFor !== undefined) refuseIfPaidOut(paidFor, outcome);
      const settled = { outcome, ...(hash !== undefined && { hash }), by: who, at: now.toISOString(), reason };
      try {
        await deps.settle(deposit, settled, batch === 'yes', paidFor?.operationId);
      } catch (error) {
        if (!(error instanceof ReturnHashUsed)) throw error;
        const message = 'has settled another deposit: use --batch yes if one transaction has returned several';
        throw invalid({ path: 'body.arguments.hash', code: 'ALREADY_USED', message });
      }
      return { ...deposit, settled };
    });
    return answer(seen);
  };
}

export function unsettleDeposit(deps: Dependencies): Change<typeof unsettleDepositContract> {
  return async ({ custodianTransferId }) => {
    const seen = await retryOnConflict(deps.clock, async () => {
      const deposit = await existing(deps, custodianTransferId);
      if (deposit.settled === undefined) throw conflict('It is not settled.');
      const operation = await operationCredited(deps, deposit);
      await deps.unsettle(deposit, operation && isOwed(operation) ? operation : undefined, deps.clock.now());
      return { ...deposit, settled: undefined };
    });
    return answer(seen);
  };
}

async function operationCredited({ operations }: Dependencies, { creditedAt, operationId }: Deposit) {
  return creditedAt === undefined || operationId === undefined ? undefined : operations.find(operationId);
}

function answer(deposit: Deposit) {
  const { custodianTransferId, settled, clientId, userId } = deposit;
  const operationId = operationOf(deposit);
  return {
    body: { custodianTransferId, operationId, status: depositStatusOf(deposit), settled },
    ids: { custodianTransferId, operationId, clientId, userId },
  };
}

async function existing({ findDeposit }: Dependencies, custodianTransferId: string): Promise<Deposit> {
  const deposit = await findDeposit(custodianTransferId);
  if (deposit !== undefined) return deposit;
  throw new ApiError(apiErrors.NOT_FOUND, { detail: 'The custodian has reported no transfer with this id.' });
}

/** The hash of the return, in the format of the deposit's network; not the deposit's own hash. */
function hashOf(
  { network, txHash }: Deposit,
  outcome: 'RETURNED' | 'KEPT',
  text: string | undefined,
): string | undefined {
  const path = 'body.arguments.hash';
  if (outcome === 'KEPT') {
    if (text === undefined) return undefined;
    throw invalid({ path, code: 'NOT_ALLOWED', message: 'is of what was returned' });
  }
  const hash = text === undefined ? undefined : normaliseTransactionHash(network, text);
  if (hash === txHash) throw invalid({ path, code: 'NOT_ALLOWED', message: 'is that of the deposit itself' });
  if (hash !== undefined) return hash;
  const message = `must be a transaction hash of ${network}: ${transactionHashFormat(network)}`;
  throw invalid({ path, code: 'INVALID_FORMAT', message });
}

/** Only a listed deposit can leave a list. */
function refuseUnlessListed(deposit: Deposit, now: Date): void {
  const { settled, owedSince, unmatched } = deposit;
  if (settled !== undefined) throw conflict(`It is already settled: ${settled.outcome}, at ${settled.at}.`);
  if (depositStatusOf(deposit) === 'UNMATCHED' && unmatched === 'UNMATCHED') return;
  if (depositStatusOf(deposit) !== 'CREDITED' || owedSince === undefined)
    throw conflict('It is neither UNMATCHED nor owed: it does not wait for finance operations.');
  if (now.getTime() < Date.parse(owedSince) + OWED_FOR)
    throw conflict(`It is owed since ${owedSince}: wait for 24 hours, because its payout may still be reported.`);
}

/**
 * An operation that ended without a deposit may have been paid out all the same. An unmatched deposit beside a credited
 * one is not part of the payout.
 */
async function operationPaidFor({ operations }: Dependencies, deposit: Deposit): Promise<OffRamp | undefined> {
  const operationId = operationOf(deposit);
  const operation = operationId === undefined ? undefined : await operations.find(operationId);
  return operation && mayBePaidFor(operation, deposit) ? operation : undefined;
}

function refuseIfPaidOut({ contradictedSince, paidOut }: OffRamp, outcome: 'RETURNED' | 'KEPT'): void {
  if (contradictedSince !== undefined)
    throw conflict('The reports of its payout contradict each other: resolve-contradiction comes first.');
  if (outcome === 'RETURNED' && paidOut === true) throw conflict('Its off-ramp was paid out.');
}

const conflict = (detail: string) => new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT, { detail });
