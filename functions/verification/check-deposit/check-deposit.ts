import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import { CustodianUnavailable, type FindTransfers } from '#shared/custodian/custodian.ts';
import { type CustodianTransfer, judgeDeposit, type Shortcoming } from '#shared/domain/deposit-match.ts';
import { nextLookAt } from '#shared/domain/look-schedule.ts';
import type { Network, NetworkRules } from '#shared/domain/network.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import type { ConfirmDeposit } from '#shared/dynamodb/confirm-deposit.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import type { Verifications } from '#shared/dynamodb/verifications.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'find'>;
  readonly verifications: Pick<Verifications, 'recordLook'>;
  readonly findTransfers: FindTransfers;
  readonly confirmDeposit: ConfirmDeposit;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  readonly clock: Clock;
}

/** The execution's input, frozen with the attempt. */
const attemptInput = z.object({
  operationId: z.string(),
  attempt: z.int(),
  network,
  txHash: z.string(),
  windowStartsAt: z.string(),
  windowEndsAt: z.string(),
});

type Attempt = z.infer<typeof attemptInput>;

/** What the state machine branches on, and what finance operations read in the execution's output. */
interface Look extends Attempt {
  readonly outcome: 'DEPOSIT_VERIFIED' | 'LOOK_AGAIN' | 'WINDOW_ENDED' | 'SUPERSEDED';
  /** In words, for people. */
  readonly why: string;
  readonly reason?: string;
  readonly lastCheckedAt: string;
  readonly nextCheckAt?: string;
}

/**
 * One look at the custodian for one attempt. A deposit that matches is credited even when the attempt is no longer the
 * current one, because the facts count and not who asked; otherwise a superseded attempt ends here.
 */
export function checkDeposit(deps: Dependencies) {
  return async (event: unknown): Promise<Look> => {
    const attempt = attemptInput.parse(event);
    const operation = await deps.operations.find(attempt.operationId);
    if (operation === undefined) throw new Error(`Operation ${attempt.operationId} is gone.`);
    if (operation.status !== 'AWAITING_DEPOSIT') return closed(deps, attempt, operation);

    const { minimumConfirmations } = deps.networkRules[attempt.network];
    const transfers = await look(deps.findTransfers, attempt, operation);
    const verdict: ReturnType<typeof judgeDeposit> =
      transfers === undefined
        ? { reason: 'CUSTODIAN_UNAVAILABLE' }
        : judgeDeposit(operation, transfers, minimumConfirmations);
    if (!('match' in verdict)) return wanting(deps, attempt, operation, verdict);

    const confirmation = await deps.confirmDeposit(operation.operationId, verdict.match);
    return confirmation.outcome === 'FUNDS_ANOTHER_OPERATION'
      ? wanting(deps, attempt, confirmation.operation, { reason: 'FUNDS_ANOTHER_OPERATION' })
      : closed(deps, attempt, confirmation.operation);
  };
}

/** `undefined` when the custodian did not answer. */
async function look(
  findTransfers: FindTransfers,
  { network, txHash, operationId, attempt }: Attempt,
  { createdAt }: OffRamp,
): Promise<readonly CustodianTransfer[] | undefined> {
  try {
    return await findTransfers({ network, txHash, since: createdAt });
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { operationId, attempt, cause: describe(error) });
    return undefined;
  }
}

/** The operation awaits no deposit any more. */
async function closed({ verifications, clock }: Dependencies, attempt: Attempt, operation: OffRamp): Promise<Look> {
  const lastCheckedAt = clock.now().toISOString();
  await verifications.recordLook(attempt, { lastCheckedAt, nextCheckAt: undefined, shortcoming: undefined });
  return operation.verifiedTxHash === undefined
    ? { ...attempt, outcome: 'SUPERSEDED', why: `The operation is ${operation.status}.`, lastCheckedAt }
    : {
        ...attempt,
        outcome: 'DEPOSIT_VERIFIED',
        why: `The custodian confirmed the deposit with ${operation.verifiedTxHash}.`,
        lastCheckedAt,
      };
}

/** The deposit is not there, or not as it should be: keeps why, and says when to look again. */
async function wanting(
  { verifications, networkRules, clock }: Dependencies,
  attempt: Attempt,
  operation: OffRamp,
  shortcoming: Shortcoming,
): Promise<Look> {
  const now = clock.now();
  const lastCheckedAt = now.toISOString();
  const next = nextLookAt(
    now.getTime() / 1000,
    { startsAt: Date.parse(attempt.windowStartsAt) / 1000, endsAt: Date.parse(attempt.windowEndsAt) / 1000 },
    networkRules[attempt.network].finalitySeconds,
    shortcoming.reason !== 'CUSTODIAN_UNAVAILABLE',
  );
  const nextCheckAt = next === undefined ? undefined : new Date(next * 1000).toISOString();
  const isCurrent = await verifications.recordLook(attempt, { lastCheckedAt, nextCheckAt, shortcoming });
  const looked = { ...attempt, reason: shortcoming.reason, lastCheckedAt };
  if (!isCurrent) {
    return { ...looked, outcome: 'SUPERSEDED', why: `Attempt ${operation.attempt} looks for ${operation.txHash} now.` };
  }
  if (nextCheckAt === undefined) {
    return {
      ...looked,
      outcome: 'WINDOW_ENDED',
      why: `The last look said ${shortcoming.reason}. A new submission looks again.`,
    };
  }
  return { ...looked, outcome: 'LOOK_AGAIN', why: `The custodian said ${shortcoming.reason}.`, nextCheckAt };
}
