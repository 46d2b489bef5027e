import { type Deposit, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { allDepositsOf, type ListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { ListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { isOpen, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { ListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { inGroups } from '#shared/platform/collections.ts';

interface Dependencies {
  readonly offRamps: ListedOffRamps;
  readonly listDepositsOf: ListDepositsOf;
  readonly payins: ListedPayins;
}

/** Records that are read at the same time. */
const AT_ONCE = 100;

/** Milliseconds after its end for which a pay-in may still be paid, or paid back. */
const SETTLED_AFTER = 30 * 24 * 3600_000;

/** Statuses of a deposit after which nothing happens to it, unless it is owed. */
const ended: readonly string[] = ['CREDITED', 'FAILED', 'RETURNED'];

/** What of a user is not over yet, in words: its data are needed until it is. The first one that is found of each kind. */
export function createFindOpenBusiness({ offRamps, listDepositsOf, payins }: Dependencies) {
  const openOffRamp = async (operation: OffRamp): Promise<string | undefined> => {
    const { operationId, status, contradictedSince } = operation;
    if (status === 'AWAITING_DEPOSIT' || status === 'PENDING') return `The off-ramp ${operationId} is ${status}.`;
    if (contradictedSince !== undefined) return `The reports of the payout of ${operationId} contradict each other.`;
    const { deposits, unreadableIds } = await allDepositsOf(listDepositsOf, operationId);
    const [unreadable] = unreadableIds;
    if (unreadable !== undefined) return `The deposit ${unreadable} cannot be read.`;
    const open = deposits.find(isOpenDeposit);
    return open && `The deposit ${open.custodianTransferId} is ${open.owed ?? depositStatusOf(open)}.`;
  };

  return async (userId: string, now: Date): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const ids of inGroups(offRamps.idsOfUser({ userId }, undefined), AT_ONCE)) {
      const operations = (await offRamps.getAll(ids)).filter((one) => one !== undefined);
      const open = (await Promise.all(operations.map(openOffRamp))).find((one) => one !== undefined);
      if (open === undefined) continue;
      found.push(open);
      break;
    }
    for await (const ids of inGroups(payins.idsOfUser({ userId }, undefined), AT_ONCE)) {
      const open = (await payins.getAll(ids)).map((one) => one && openPayin(one, now)).find((one) => one !== undefined);
      if (open === undefined) continue;
      found.push(open);
      break;
    }
    return found;
  };
}

function isOpenDeposit(deposit: Deposit): boolean {
  const { settled, owed } = deposit;
  if (settled !== undefined) return false;
  const status = depositStatusOf(deposit);
  return owed !== undefined || (status !== undefined && !ended.includes(status));
}

function openPayin({ payinId, status, statusHistory, mismatchedAt }: Payin, now: Date): string | undefined {
  if (isOpen(status)) return `The pay-in ${payinId} is ${status}.`;
  if (mismatchedAt !== undefined) return `The pay-in ${payinId} has another amount at the rail than was ordered.`;
  const endedAt = statusHistory.at(-1)?.at ?? '';
  const until = new Date(Date.parse(endedAt) + SETTLED_AFTER).toISOString();
  return now.toISOString() < until
    ? `The pay-in ${payinId} may still be paid or taken back until ${until}.`
    : undefined;
}
