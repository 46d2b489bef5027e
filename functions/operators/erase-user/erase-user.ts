import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientErrors } from '#shared/clients/client-errors.ts';
import type { User } from '#shared/clients/user.ts';
import { createUserErasure } from '#shared/clients/user-erasure.ts';
import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import { createListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { eraseUserContract, personErrors } from '#shared/operators/person-contract.ts';
import { createForgetPhones } from '#shared/pay-ins/forget-phones.ts';
import { createListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { createUnderAudit } from '#shared/platform/operators/audited.ts';
import { byPath, type Handler } from '#shared/platform/operators/by-path.ts';
import { createFindOpenBusiness } from './open-business.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'users' | 'wallets' | 'operations' | 'deposits' | 'payins', string>>;
  /** Days for which the law asks to keep what is left. */
  readonly keptDays: number;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Milliseconds from the end of new orders to the erasure. An order that had begun before has ended by then, and is in the
 * indexes: no creation takes longer than its function, which has half of this.
 */
const CLOSED_FOR = 60_000;

/**
 * The first call ends new orders, the next one erases, unless something of the user is open (decisions.md 11, Persons'
 * data). What broke off goes on with the same call.
 */
export function eraseUser({ dynamo, tables, keptDays, clock, newId }: Dependencies): Handler {
  const users = createUserOnboarding(dynamo, tables);
  const erasure = createUserErasure(dynamo, tables);
  const forgetPhones = createForgetPhones(dynamo, tables.payins, clock);
  const findOpenBusiness = createFindOpenBusiness({
    offRamps: createListedOffRamps(dynamo, tables.operations, clock),
    listDepositsOf: createListDepositsOf(dynamo, tables.deposits, clock),
    payins: createListedPayins(dynamo, tables.payins, clock),
  });

  const erasing = createUnderAudit(
    dynamo,
    tables.audit,
    clock,
    newId,
  )(eraseUserContract, async ({ userId }) => {
    const seen = await users.find(userId);
    if (seen === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const ids = { userId, clientId: seen.clientId };
    const now = clock.now();
    if (seen.erasedAt === undefined) {
      await refuseWhileOpen(seen, now);
      const { closedAt = '' } = await erasure.close(userId, now.toISOString());
      const eraseFrom = new Date(Date.parse(closedAt) + CLOSED_FOR).toISOString();
      if (now.toISOString() < eraseFrom) return { body: { userId, status: 'CLOSED' as const, eraseFrom }, ids };
    }
    await forgetPhones(userId);
    const { erasedAt, expiresAt = 0 } = await erasure.erase(seen, await users.listWallets(userId), now, keptDays);
    const restGoesAt = new Date(expiresAt * 1000).toISOString();
    return { body: { userId, status: 'ERASED' as const, erasedAt, restGoesAt }, ids };
  });
  return byPath(new Map([erasing]));

  async function refuseWhileOpen({ userId, closedAt }: User, now: Date): Promise<void> {
    const open = await findOpenBusiness(userId, now);
    if (open.length === 0) return;
    if (closedAt !== undefined) await erasure.reopen(userId);
    throw new ApiError(personErrors.USER_HAS_OPEN_BUSINESS, { detail: open.join(' ') });
  }
}
