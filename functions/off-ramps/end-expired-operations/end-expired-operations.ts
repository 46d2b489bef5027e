import type { ListClientIds } from '#shared/clients/client-directory.ts';
import type { Network } from '#shared/networks/network.ts';
import { CustodianUnavailable, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianOf } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { AwaitingEntry, ListExpired } from '#shared/off-ramps/store/off-ramp-lists.ts';
import type { OffRampState, OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { IsDepositOnItsWay } from '#shared/off-ramps/transitions/deposit-on-its-way.ts';
import type { EndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { roundRobin, shareAmongConsumers, sweep } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly listExpired: ListExpired;
  readonly listClientIds: ListClientIds;
  readonly custodians: ReadonlyMap<Network, unknown>;
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly isDepositOnItsWay: IsDepositOnItsWay;
  readonly endOperation: EndOperation;
  readonly clock: Clock;
  /** Hours from `expiresAt` to `endsAt` of new operations. */
  readonly endsAfterHours: number;
}

/** Milliseconds after which a run begins no further operation. Leaves time to finish before the function times out. */
export const RUNS_FOR = 45_000;

export const ENDS_AT_ONCE = 10;

/** Minutes. An operation that cannot end in this time is retried each hour. */
const TRIED_FOR = 10;
const TRIED_AGAIN_AFTER = 60;

/**
 * Cancels operations without a deposit at their `endsAt` (decisions.md 4, An unpaid off-ramp ends). Clients take turns,
 * oldest first. The next run continues where this one ends.
 *
 * @returns the number of operations that it tried to end
 */
export function endExpiredOperations(deps: Dependencies) {
  return async (): Promise<number> => {
    const { listExpired, listClientIds, clock, endsAfterHours } = deps;
    const startedAt = clock.now().getTime();
    const before = startedAt - endsAfterHours * 3_600_000;
    const isDue = ({ expiresAt }: AwaitingEntry) => {
      const minutesLate = Math.floor((before - Date.parse(expiresAt)) / 60_000);
      return minutesLate < TRIED_FOR || minutesLate % TRIED_AGAIN_AFTER === 0;
    };
    const expired = (clientId: string) => dueOf(listExpired(clientId, new Date(before).toISOString()), isDue);
    const due = (await listClientIds()).map(expired);
    return await sweep(
      shareAmongConsumers(roundRobin(due, clock), ENDS_AT_ONCE),
      ({ operationId }) => endIfNothingArrived(deps, operationId),
      { clock, until: startedAt + RUNS_FOR, report: notEnded },
    );
  };
}

async function* dueOf(entries: AsyncIterable<AwaitingEntry>, isDue: (entry: AwaitingEntry) => boolean) {
  for await (const entry of entries) if (isDue(entry)) yield entry;
}

/**
 * Logs a failure that needs a person. A conflict only means that the operation has just changed, and an unavailable
 * custodian that nothing is known yet. But a custodian that was removed from the settings never answers, so it is
 * logged.
 */
function notEnded({ operationId }: AwaitingEntry, error: unknown): void {
  const isSilent = error instanceof CustodianUnavailable && !(error instanceof NotServed);
  if (error instanceof WriteConflict || isSilent) return;
  log.error('OPERATION_NOT_ENDED', { operationId, cause: describe(error) });
}

async function endIfNothingArrived(deps: Dependencies, operationId: string): Promise<void> {
  const state = await deps.operations.findWithVerification(operationId);
  if (state === undefined || !isOver(state, deps.clock.now())) return;
  // No custodian tells of a deposit on a network that was removed: nobody knows whether one has arrived.
  custodianOf(deps.custodians, state.operation.network);
  if (await deps.isDepositOnItsWay(state.operation)) return;
  await deps.endOperation(state.operation, { status: 'CANCELLED', reason: 'EXPIRED' });
  log.info('OPERATION_EXPIRED', { operationId, clientId: state.operation.clientId });
}

/**
 * Milliseconds after `endsAt`, from which half of a submission is not a write in progress but the rest that a restore
 * left.
 */
const TORN_AFTER = 3600_000;

/**
 * True if the operation is past `endsAt` and no hash is being verified. A read during a submission may see half of it:
 * then the operation is not over yet.
 */
function isOver({ operation, verification }: OffRampState, now: Date): boolean {
  const { status, attempt, endsAt } = operation;
  const since = now.getTime() - Date.parse(endsAt);
  const isHalf = (verification?.attempt ?? 0) !== attempt && since < TORN_AFTER;
  return status === 'AWAITING_DEPOSIT' && since >= 0 && verification?.nextCheckAt === undefined && !isHalf;
}
