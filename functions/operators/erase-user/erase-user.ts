import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import type { User } from '#shared/clients/user.ts';
import { createUserErasure } from '#shared/clients/user-erasure.ts';
import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import { type Deposit, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createListDepositsOf, type ListDepositsOf, readAllDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createForgetReasons } from '#shared/off-ramps/store/forget-reasons.ts';
import { createListedOffRamps, type ListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { eraseUserContract, personErrors } from '#shared/operators/person-contract.ts';
import { createForgetPayer } from '#shared/pay-ins/forget-payer.ts';
import { isOpen, type Payin } from '#shared/pay-ins/pay-in.ts';
import { createListedPayins, type ListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'users' | 'wallets' | 'operations' | 'deposits' | 'payins', string>>;
  /** Days for which the law requires the remaining data to be kept. */
  readonly keptDays: number;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Milliseconds from the end of new orders to the erasure. An order begun earlier has ended by then, and is in the
 * indexes: a creation takes no longer than its function's time-out, which is less than half of this.
 */
const CLOSED_FOR = 60_000;

const TOO_LATE = 'The data of the user are erased, and cannot be restored.';

/**
 * The first call ends new orders, the next one erases, unless business of the user is open
 * (decisions.md 11, Persons' data). The same call continues an erasure that broke off. Before the erasure, the first
 * call can be undone.
 */
export function eraseUser({ dynamo, tables, keptDays, clock, newId }: Dependencies): Handler {
  const users = createUserOnboarding(dynamo, tables);
  const erasure = createUserErasure(dynamo, tables);
  const forgetPayer = createForgetPayer(dynamo, tables.payins, clock);
  const forgetReasons = createForgetReasons(dynamo, tables.operations, clock);
  const findOpenBusiness = createFindOpenBusiness({
    offRamps: createListedOffRamps(dynamo, tables.operations, clock),
    listDepositsOf: createListDepositsOf(dynamo, tables.deposits, clock),
    payins: createListedPayins(dynamo, tables.payins, clock),
  });

  const erasing = createRegisterCommand(
    dynamo,
    tables.audit,
    clock,
    newId,
  )(eraseUserContract, (asked) =>
    // If another command is faster, such as the erasure before an undo, this one is answered as if it had come later.
    retryOnConflict(clock, () => eraseOrUndo(asked)),
  );
  return routeByPath(new Map([erasing]));

  async function eraseOrUndo({ userId, undo }: z.infer<typeof eraseUserContract.body.shape.arguments>) {
    const seen = await users.find(userId);
    if (seen === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const ids = { userId, clientId: seen.clientId };
    if (undo) {
      if (seen.erasedAt !== undefined) throw new ApiError(clientErrors.USER_ERASED, { detail: TOO_LATE });
      await erasure.reopen(userId);
      return { body: { userId, status: 'OPEN' as const }, ids };
    }
    const now = clock.now();
    await refuseWhileOpen(seen, now);
    if (seen.erasedAt === undefined) {
      const { closedAt = '' } = await erasure.close(userId, now.toISOString());
      const eraseFrom = new Date(Date.parse(closedAt) + CLOSED_FOR).toISOString();
      if (now.toISOString() < eraseFrom) {
        const awaits = `Nothing is erased yet: the same command erases it from ${eraseFrom} on.`;
        return { body: { userId, status: 'CLOSED' as const, eraseFrom, awaits }, ids };
      }
    }
    const { wallets, unreadableWallets = [] } = await users.listWallets(userId);
    const walletIds = [...wallets.map(({ walletId }) => walletId), ...unreadableWallets];
    // Nothing is erased before this write: until then the first call can be undone.
    const { erasedAt, expiresAt = 0 } = await erasure.erase(seen, walletIds, now, keptDays);
    await forgetPayer(userId);
    await forgetReasons(userId);
    const restGoesAt = new Date(expiresAt * 1000).toISOString();
    return { body: { userId, status: 'ERASED' as const, erasedAt, restGoesAt }, ids };
  }

  /** Also refuses after the erasure: texts of contradicting payout reports are needed until a person resolves them. */
  async function refuseWhileOpen({ userId, closedAt, erasedAt }: User, now: Date): Promise<void> {
    const open = await findOpenBusiness(userId, now);
    if (open.length === 0) return;
    if (closedAt !== undefined && erasedAt === undefined) await erasure.reopen(userId);
    throw new ApiError(personErrors.USER_HAS_OPEN_BUSINESS, { detail: open.join(' ') });
  }
}

interface Business {
  readonly offRamps: ListedOffRamps;
  readonly listDepositsOf: ListDepositsOf;
  readonly payins: ListedPayins;
}

/** Records that are read at the same time. */
const AT_ONCE = 100;

/** Milliseconds after its end during which a pay-in may still be paid or taken back. */
const SETTLED_AFTER = 30 * 24 * 3600_000;

/** Statuses of a deposit after which nothing happens to it, unless it is owed. */
const ended: readonly string[] = ['CREDITED', 'FAILED', 'RETURNED'];

/** Finds open business of a user, which still needs the user's data: a sentence for the first of each kind. */
function createFindOpenBusiness({ offRamps, listDepositsOf, payins }: Business) {
  const openOffRamp = async (operation: OffRamp): Promise<string | undefined> => {
    const { operationId, status, contradictedSince } = operation;
    if (status === 'AWAITING_DEPOSIT' || status === 'PENDING') return `The off-ramp ${operationId} is ${status}.`;
    if (contradictedSince !== undefined) return `The reports of the payout of ${operationId} contradict each other.`;
    const { deposits, unreadableIds } = await readAllDepositsOf(listDepositsOf, operationId);
    const [unreadable] = unreadableIds;
    if (unreadable !== undefined) return `The deposit ${unreadable} cannot be read.`;
    const open = deposits.find(isOpenDeposit);
    return open && `The deposit ${open.custodianTransferId} is ${open.owed ?? depositStatusOf(open)}.`;
  };

  return async (userId: string, now: Date): Promise<readonly string[]> => {
    const ofUser = { userId };
    const found = [
      await firstOpen('off-ramp', offRamps.idsOfUser(ofUser, undefined), offRamps.getReadable, openOffRamp),
      await firstOpen('pay-in', payins.idsOfUser(ofUser, undefined), payins.getReadable, (one) => openPayin(one, now)),
    ];
    return found.filter((one) => one !== undefined);
  };
}

/** Returns the sentence about the first open or unreadable record, and reads no further groups. */
async function firstOpen<Kept>(
  kind: string,
  ids: AsyncIterable<string>,
  getReadable: (ids: readonly string[]) => Promise<readonly (Kept | undefined)[]>,
  openOf: (one: Kept) => Promise<string | undefined> | string | undefined,
): Promise<string | undefined> {
  for await (const group of inGroups(ids, AT_ONCE)) {
    const kept = await getReadable(group);
    const sentences = kept.map((one, at) =>
      one === undefined ? `The ${kind} ${group[at]} cannot be read.` : openOf(one),
    );
    const open = (await Promise.all(sentences)).find((one) => one !== undefined);
    if (open !== undefined) return open;
  }
  return undefined;
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
