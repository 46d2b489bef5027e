import type { EventSource } from '#shared/events/write-with-events.ts';
import { depositStatusChange } from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { type DepositChange, readAgain } from '#shared/off-ramps/model/deposit-changes.ts';
import type { DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { type Conclusion, concludePoll } from './conclude-poll.ts';

export interface RecordDependencies extends Conclusion {
  readonly outbox: Omit<EventSource, 'now'>;
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
  const source = { ...deps.outbox, now: deps.clock.now() };
  const isReadAgain = found.transfer !== undefined && deposit.unreadable !== undefined;
  const change = isReadAgain ? { ...found, ...readAgain } : found;
  const { set, event } = depositStatusChange(source, deposit, { ...deposit, ...change });
  return concludePoll(deps, deposit, { ...change, ...set }, next, { ...(event && { event }), ...also });
}
