import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import { CustodianUnavailable, type FindTransfers } from '#shared/custodian/custodian.ts';
import { type CustodianTransfer, judgeDeposit, type Shortcoming } from '#shared/domain/deposit-match.ts';
import { nextLookAt } from '#shared/domain/look-schedule.ts';
import type { Network, NetworkRules } from '#shared/domain/network.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import type { ConfirmDeposit } from '#shared/dynamodb/confirm-deposit.ts';
import type { EndWindow } from '#shared/dynamodb/end-window.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import type { Verifications } from '#shared/dynamodb/verifications.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'find' | 'findWithVerification'>;
  readonly verifications: Pick<Verifications, 'recordLook' | 'settle'>;
  readonly endWindow: EndWindow;
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
    if (operation === undefined) throw gone(attempt);
    if (operation.status !== 'AWAITING_DEPOSIT') return closed(deps, attempt, operation);

    const { minimumConfirmations } = deps.networkRules[attempt.network];
    const transfers = await look(deps.findTransfers, attempt, operation);
    const verdict: ReturnType<typeof judgeDeposit> =
      transfers === undefined
        ? { reason: 'CUSTODIAN_UNAVAILABLE' }
        : judgeDeposit(operation, transfers, minimumConfirmations);
    if (!('match' in verdict)) return wanting(deps, attempt, verdict);

    const confirmation = await deps.confirmDeposit(operation.operationId, verdict.match);
    return confirmation.outcome === 'FUNDS_ANOTHER_OPERATION'
      ? wanting(deps, attempt, { reason: 'FUNDS_ANOTHER_OPERATION' })
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

/** The operation awaits no deposit any more. Why it had not verified is still told of one that ended without. */
async function closed({ verifications, clock }: Dependencies, attempt: Attempt, operation: OffRamp): Promise<Look> {
  const lastCheckedAt = clock.now().toISOString();
  if (operation.verifiedTxHash === undefined) {
    await verifications.settle(attempt);
    return { ...attempt, outcome: 'SUPERSEDED', why: `The operation is ${operation.status}.`, lastCheckedAt };
  }
  await verifications.recordLook(attempt, { lastCheckedAt, nextCheckAt: undefined, shortcoming: undefined });
  const why = `The custodian confirmed the deposit with ${operation.verifiedTxHash}.`;
  return { ...attempt, outcome: 'DEPOSIT_VERIFIED', why, lastCheckedAt };
}

/** The deposit is not there, or not as it should be: keeps why, and says when to look again, or that this was the last look. */
async function wanting(deps: Dependencies, attempt: Attempt, shortcoming: Shortcoming): Promise<Look> {
  const now = deps.clock.now();
  const lastCheckedAt = now.toISOString();
  const next = nextLookAt(
    now.getTime() / 1000,
    { startsAt: Date.parse(attempt.windowStartsAt) / 1000, endsAt: Date.parse(attempt.windowEndsAt) / 1000 },
    deps.networkRules[attempt.network].finalitySeconds,
    shortcoming.reason !== 'CUSTODIAN_UNAVAILABLE',
  );
  const { reason } = shortcoming;
  if (next === undefined) {
    const isEnded = await deps.endWindow(attempt, { lastCheckedAt, shortcoming });
    return isEnded ? windowEnded(attempt, lastCheckedAt, reason) : over(deps, attempt, lastCheckedAt);
  }
  const nextCheckAt = new Date(next * 1000).toISOString();
  const isKept = await deps.verifications.recordLook(attempt, { lastCheckedAt, nextCheckAt, shortcoming });
  return isKept
    ? { ...attempt, outcome: 'LOOK_AGAIN', why: `The custodian said ${reason}.`, reason, lastCheckedAt, nextCheckAt }
    : over(deps, attempt, lastCheckedAt);
}

function windowEnded(attempt: Attempt, lastCheckedAt: string, reason: string | undefined): Look {
  const why = `The last look said ${reason}. A new submission looks again.`;
  return { ...attempt, outcome: 'WINDOW_ENDED', why, ...(reason !== undefined && { reason }), lastCheckedAt };
}

/** Nothing was kept of this look: what ended the attempt before it, which may have been an earlier try of this very look. */
async function over(deps: Dependencies, attempt: Attempt, lastCheckedAt: string): Promise<Look> {
  const { operation, verification } = (await deps.operations.findWithVerification(attempt.operationId)) ?? {};
  if (operation === undefined) throw gone(attempt);
  if (operation.status !== 'AWAITING_DEPOSIT') return closed(deps, attempt, operation);
  if (verification?.attempt === attempt.attempt) return windowEnded(attempt, lastCheckedAt, verification.reason);
  const why = `Attempt ${operation.attempt} looks for ${operation.txHash} now.`;
  return { ...attempt, outcome: 'SUPERSEDED', why, lastCheckedAt };
}

const gone = ({ operationId }: Attempt) => new Error(`Operation ${operationId} is gone.`);
