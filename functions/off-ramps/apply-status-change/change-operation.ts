import { deniesPayout, isOwed, judgeReport } from '#shared/off-ramps/model/contradictions.ts';
import type { StatusReport } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { contradiction, type EndStatus, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import type { FindReturningDeposits } from '#shared/off-ramps/store/deposit-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type EndOperation, logOwed } from '#shared/off-ramps/transitions/end-operation.ts';
import type { ContradictionStore } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { type Arrival, CannotHandleYet } from '#shared/platform/aws/messages.ts';
import { type Clock, secondsSince } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly endOperation: EndOperation;
  readonly contradictions: Pick<ContradictionStore, 'keep' | 'payAgain' | 'addOwedDeposit'>;
  readonly findReturningDeposits: FindReturningDeposits;
  readonly clock: Clock;
}

/** Milliseconds for which an early event is retried, from its first arrival on. */
const LONGEST_TRIED = 1800_000;

/**
 * Ends an operation at the request of another service, if its current status allows that. Otherwise keeps the event as
 * a contradiction and alerts a person. A repeated event changes nothing. An early event throws, so that it is received
 * again, for half an hour; then it is kept as a contradiction, too.
 */
export function changeOperation({
  operations,
  endOperation,
  contradictions,
  findReturningDeposits,
  clock,
}: Dependencies) {
  async function keep(seen: OffRamp, report: StatusReport, arrival: Arrival): Promise<void> {
    await contradictions.keep(seen, contradictionOf(report, arrival));
    await alertContradiction(seen, report);
  }

  async function end(seen: OffRamp, report: StatusReport, status: EndStatus, arrival: Arrival): Promise<void> {
    const isDenied = deniesPayout(seen, status);
    await endOperation(seen, {
      ...report,
      status,
      ...(isDenied && { contradiction: contradictionOf(report, arrival) }),
    });
    if (isDenied) await alertContradiction(seen, report);
  }

  async function alertContradiction(seen: OffRamp, report: StatusReport): Promise<void> {
    logContradiction(seen, report);
    await alertSendings(seen, report);
  }

  /** Alerts a person about deposits that are being sent back: only the custodian can stop these, and only at once. */
  async function alertSendings(seen: OffRamp, report: StatusReport): Promise<void> {
    for (const deposit of await findReturningDeposits(seen)) {
      const { custodianTransferId } = deposit;
      log.error('RETURN_CONTRADICTED', {
        ...changeOf(seen, report),
        custodianTransferId,
        sending: sendingIdOf(deposit),
      });
    }
  }

  /** Seconds from the credit of a deposit until now, for a payout; `undefined` for any other end, or without a credit. */
  function secondsToPayout({ creditedAt }: OffRamp, status: EndStatus): number | undefined {
    if (status !== 'COMPLETED' || creditedAt === undefined) return undefined;
    return secondsSince(creditedAt, clock.now());
  }

  /** Repeats the alarms of a repeated event: the earlier try may have died between its write and its alarm. */
  async function repeatAlarms(seen: OffRamp, report: StatusReport): Promise<void> {
    const isOf = (one: { readonly eventId: string; readonly status: string }) =>
      one.eventId === report.eventId && one.status === report.status;
    if (seen.contradictions?.some(isOf)) await alertContradiction(seen, report);
    else if (seen.endedBy === report.eventId && report.status === 'COMPLETED') await alertSendings(seen, report);
    if (seen.endedBy === report.eventId && isOwed(seen)) logOwed(seen);
  }

  return (report: StatusReport, arrival: Arrival): Promise<void> =>
    retryOnConflict(clock, async () => {
      const seen = await operations.find(report.operationId);
      const change = changeOf(seen, report);
      if (seen === undefined) return log.error('STATUS_CHANGE_REFUSED', change);
      const verdict = judgeReport(seen, report);
      switch (verdict) {
        case 'COMPLETED':
        case 'CANCELLED':
        case 'FAILED':
          await end(seen, report, verdict, arrival);
          return log.info('STATUS_CHANGED', { ...change, secondsToPayout: secondsToPayout(seen, verdict) });
        case 'PAYS_AGAIN':
          await contradictions.payAgain(seen, report);
          await alertSendings(seen, report);
          return log.info('PAID_AGAIN', change);
        case 'TOO_EARLY':
          if (clock.now().getTime() - arrival.sentAt.getTime() >= LONGEST_TRIED) return keep(seen, report, arrival);
          throw new CannotHandleYet(`Its status is ${seen.status}; it is not decided yet.`);
        case 'CONTRADICTS':
          return keep(seen, report, arrival);
        case 'REPEATED':
          await contradictions.addOwedDeposit(seen);
          if (arrival.isRepeat) await repeatAlarms(seen, report);
          return log.info('STATUS_CHANGE_REPEATED', change);
        case 'REFUSED':
          return log.error('STATUS_CHANGE_REFUSED', change);
      }
    });
}

function contradictionOf(report: StatusReport, { sentAt }: Arrival) {
  return contradiction.parse({ ...report, at: sentAt.toISOString() });
}

function changeOf(seen: OffRamp | undefined, { operationId, eventId, source: by, status: to }: StatusReport) {
  return { operationId, eventId, by, from: seen?.status, to };
}

function logContradiction(seen: OffRamp, report: StatusReport): void {
  log.error('STATUS_CHANGE_CONTRADICTED', changeOf(seen, report));
}
