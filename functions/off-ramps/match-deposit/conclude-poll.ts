import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { answerReadable, type DepositChange } from '#shared/off-ramps/model/deposit-changes.ts';
import type { DepositPoll, DepositPolls, Polled, SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { depositStatusChange } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { planWait } from '#shared/platform/dynamodb/due-queue.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

export interface ConcludeDependencies {
  readonly polls: Pick<DepositPolls, 'record'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/**
 * Records what a poll changed and plans the next one: at `next`, in seconds since 1970, or none. False, and nothing is
 * recorded, when another poll or a credit was faster. The table is written before the message is sent: the sweep sends
 * a lost message again.
 */
export async function concludePoll(
  { polls, sendPoll, clock }: ConcludeDependencies,
  polled: Polled,
  change: DepositChange | { readonly lastDueAt: string },
  next: number | undefined,
  also?: Readonly<Record<string, TransactionLeg>>,
): Promise<boolean> {
  if (next === undefined) return polls.record(polled, change, undefined, also);
  const nextPollAt = new Date(next * 1000).toISOString();
  const { dueAt, delaySeconds } = planWait(nextPollAt, clock.now());
  const isKept = await polls.record(polled, change, { nextPollAt, dueAt }, also);
  const { custodianTransferId } = polled;
  if (isKept && delaySeconds !== undefined) await sendPoll({ custodianTransferId, nextPollAt }, delaySeconds);
  return isKept;
}

export interface RecordDependencies extends ConcludeDependencies {
  readonly eventsTable: string;
}

/** A deposit as read for its poll. The custodian does not want requests before `notBefore`, in seconds since 1970. */
export type PolledDeposit = Deposit & DepositPoll & { readonly notBefore: number };

/**
 * Records the result of a poll of a deposit, with the event of a changed status, and plans the next poll. False, and
 * nothing is recorded, when another poll or a credit was faster.
 */
export function recordTransfer(
  deps: RecordDependencies,
  deposit: PolledDeposit,
  found: DepositChange,
  next: number | undefined,
  also: Readonly<Record<string, TransactionLeg>> = {},
): Promise<boolean> {
  const source = { table: deps.eventsTable, now: deps.clock.now() };
  const isReadAgain = found.transfer !== undefined && deposit.unreadable !== undefined;
  const change = isReadAgain ? { ...found, ...answerReadable } : found;
  const { set, event } = depositStatusChange(source, deposit, { ...deposit, ...change });
  return concludePoll(deps, deposit, { ...change, ...set }, next, { ...(event && { event }), ...also });
}
