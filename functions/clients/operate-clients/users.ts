import type * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import type { FindClient } from '#shared/clients/client-repository.ts';
import { refuseIfClosed } from '#shared/clients/closed-user.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { User } from '#shared/clients/user.ts';
import type { addUserContract, updateUserContract } from '#shared/clients/user-commands.ts';
import type { UserOnboarding } from '#shared/clients/user-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly findClient: FindClient;
  readonly users: UserOnboarding;
  readonly newId: () => string;
}

export function addUser({ findClient, users, newId }: Dependencies): Change<typeof addUserContract> {
  return async ({ clientId, payer }) => {
    if ((await findClient(clientId)) === undefined) throw noClient();
    const userId = newId();
    await users.add({ userId, clientId, ...recordOf(payer) });
    return { body: { userId, clientId }, ids: { userId, clientId } };
  };
}

/**
 * Changes field by field, so that concurrent changes of different fields are both made. A change overwrites only values
 * that the operator has seen.
 */
export function updateUser({
  users,
  clock,
}: Pick<Dependencies, 'users'> & { readonly clock: Clock }): Change<typeof updateUserContract> {
  return async ({ userId, payer, before: shown }) => {
    const after = textsOf(payer);
    return retryOnConflict(clock, async () => {
      const seen = await users.find(userId);
      if (seen === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
      refuseIfClosed(seen);
      if (Object.keys(after).length === 0)
        throw invalid({ path: 'body.arguments.payer', code: 'REQUIRED', message: 'has nothing to change' });
      const current = textsOf({ ...seen.payer, phone: seen.phone });
      if (shown !== undefined) refuseUnseen(shown, current, after);
      const { phone = seen.phone, payer: changed } = recordOf(payer);
      await users.update(seen, { phone, payer: { ...seen.payer, ...changed } });
      const before = Object.fromEntries(Object.entries(current).filter(([name]) => name in after));
      return { body: { userId, before: shown ?? before, after }, ids: { userId, clientId: seen.clientId } };
    });
  };
}

type Texts = Readonly<Record<string, string>>;

function textsOf(payer: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payer).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Refuses to overwrite unseen values. One that already is as requested comes from an earlier try without an answer. */
function refuseUnseen(shown: Texts, current: Texts, after: Texts): void {
  const changed = Object.keys(after).find(
    (name) => (current[name] ?? '') !== (shown[name] ?? '') && current[name] !== after[name],
  );
  if (changed === undefined) return;
  const path = `body.arguments.before.${changed}`;
  throw invalid({ path, code: 'CHANGED_MEANWHILE', message: 'was changed since you saw it: look at the user again' });
}

/** The phone is a field of its own, where pay-ins read it. */
function recordOf({
  phone,
  ...payer
}: z.infer<typeof addUserContract.body>['arguments']['payer']): Pick<User, 'phone' | 'payer'> {
  return { phone, payer };
}
