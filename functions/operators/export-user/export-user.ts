import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import { describeDepositForOperator } from '#shared/off-ramps/contract/operator-lookups.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { createListDepositsOf, readAllDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { exportUserContract } from '#shared/operators/person-contract.ts';
import { createListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { invalidCursor, readPage } from '#shared/platform/http/page.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'users' | 'wallets' | 'operations' | 'deposits' | 'payins', string>>;
  readonly clock: Clock;
}

/** Records of each kind on a page. It is small, because the deposits of each off-ramp are a separate read. */
const PAGE = 100;

/** Exports all stored data of a user: first the off-ramps, newest first; the pay-ins begin on their last page. */
export function exportUser({ dynamo, tables, clock }: Dependencies): Handler {
  const users = createUserOnboarding(dynamo, tables);
  const offRamps = createListedOffRamps(dynamo, tables.operations, clock);
  const payins = createListedPayins(dynamo, tables.payins, clock);
  const listDepositsOf = createListDepositsOf(dynamo, tables.deposits, clock);

  const withRest = async (operation: OffRamp, reported: Verification | 'UNREADABLE' | undefined) => {
    const { deposits, unreadableIds } = await readAllDepositsOf(listDepositsOf, operation.operationId);
    return {
      ...operation,
      ...(reported === 'UNREADABLE' ? { unreadableReported: true as const } : { reported }),
      deposits: deposits.map(describeDepositForOperator),
      ...(unreadableIds.length > 0 && { unreadableDeposits: unreadableIds }),
    };
  };

  /** Returns a page of off-ramps or pay-ins after a record of the user, and the ids of unreadable ones. */
  const pageAfter = async <Kept extends { readonly userId: string }>(
    { idsOfUser, getReadable }: ListOf<Kept>,
    userId: string,
    id: string | undefined,
  ) => {
    const [after] = id === undefined ? [] : await getReadable([id]);
    if (id !== undefined && after?.userId !== userId) throw invalidCursor();
    const unreadable: string[] = [];
    const getAll = async (ids: readonly string[]) => {
      const kept = await getReadable(ids);
      unreadable.push(...ids.filter((_, at) => kept[at] === undefined));
      return kept;
    };
    return { ...(await readPage({ limit: PAGE, ids: idsOfUser({ userId }, after), getAll })), unreadable };
  };

  const exporting = createRegisterLookup(clock)(exportUserContract, async ({ query }) => {
    const { userId, after } = query();
    const user = await users.find(userId);
    if (user === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const [kind, id] = after?.split('#') ?? [];
    const none = { items: [], examined: undefined, unreadable: [] };
    const isInPayIns = kind === 'pay-in';
    const first = isInPayIns ? none : await pageAfter(offRamps, userId, id);
    const second = first.examined ? none : await pageAfter(payins, userId, isInPayIns ? id : undefined);
    const reported = await offRamps.getVerifications(first.items.map(({ operationId }) => operationId));
    const { clientId, phone, payer, closedAt, erasedAt } = user;
    const unreadable = [...first.unreadable, ...second.unreadable];
    return {
      body: {
        ...{ userId, clientId, closedAt, erasedAt },
        payer: { ...payer, ...(phone !== undefined && { phone }) },
        ...(await users.listWallets(userId)),
        offRamps: await Promise.all(first.items.map((one, at) => withRest(one, reported[at]))),
        payIns: [...second.items],
        ...(unreadable.length > 0 && { unreadable }),
        ...(first.examined && { nextAfter: `off-ramp#${first.examined.operationId}` }),
        ...(second.examined && { nextAfter: `pay-in#${second.examined.payinId}` }),
      },
      ids: { userId, clientId },
    };
  });
  return routeByPath(new Map([exporting]));
}

interface ListOf<Kept> {
  readonly idsOfUser: (of: { readonly userId: string }, after: Kept | undefined) => AsyncGenerator<string>;
  readonly getReadable: (ids: readonly string[]) => Promise<readonly (Kept | undefined)[]>;
}
