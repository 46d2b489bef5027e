import type { DepositChange } from '#shared/off-ramps/model/deposit-changes.ts';
import type { SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { type DepositPolls, lostAfter, type Polled } from '#shared/off-ramps/store/deposit-polls.ts';
import { LONGEST_DELAY } from '#shared/platform/aws/longest-delay.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

export interface Conclusion {
  readonly polls: Pick<DepositPolls, 'record'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/**
 * Records what a poll changed and plans the next one: at `next`, in seconds since 1970, or none. False, and nothing is
 * recorded, when another poll or a credit was faster. The table is written before the message is sent: one that is lost
 * is sent again by the sweep.
 */
export async function concludePoll(
  { polls, sendPoll, clock }: Conclusion,
  polled: Polled,
  change: DepositChange | { readonly lastDueAt: string },
  next: number | undefined,
  event?: TransactionLeg,
): Promise<boolean> {
  if (next === undefined) return polls.record(polled, change, undefined, event);
  const at = new Date(next * 1000);
  const nextPollAt = at.toISOString();
  const seconds = (at.getTime() - clock.now().getTime()) / 1000;
  const isByMessage = seconds <= LONGEST_DELAY;
  const dueAt = isByMessage ? lostAfter(at) : nextPollAt;
  const isKept = await polls.record(polled, change, { nextPollAt, dueAt }, event);
  if (isKept && isByMessage) await sendPoll({ custodianTransferId: polled.custodianTransferId, nextPollAt }, seconds);
  return isKept;
}
