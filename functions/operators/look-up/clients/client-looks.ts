import { MOST_LISTED } from '#functions/operators/look-up/common/list-answer.ts';
import type { Look, LookedUp } from '#functions/operators/look-up/common/looks.ts';
import { createSearchClients } from '#shared/clients/client-directory.ts';
import { createFindClient, createFindClientProfile } from '#shared/clients/client-repository.ts';
import { createListUsersOf, createUserOnboarding } from '#shared/clients/user-repository.ts';
import * as clientLookup from '#shared/operators/client-lookup.ts';
import { noClient } from '#shared/operators/no-client.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { readClient } from './read-client.ts';
import { readUser } from './read-user.ts';

export function clientLooks(look: Look, deps: LookedUp<'clients' | 'users' | 'wallets'>) {
  const { dynamo, tables, listChanges, clock } = deps;
  const findClient = createFindClient(dynamo, tables.clients);
  const findProfile = createFindClientProfile(dynamo, tables.clients);
  const searchClients = createSearchClients(dynamo, tables.clients, clock);
  const listUsersOf = createListUsersOf(dynamo, tables.users, clock);
  return [
    look(clientLookup.readClientContract, readClient({ findProfile, findClient, listChanges, clock })),
    look(clientLookup.listClientsContract, async ({ query }) => {
      const { name = '', after } = query();
      const page = await searchClients(name, after, MOST_LISTED);
      if (page !== 'UNKNOWN') return { body: { ...page, items: [...page.items] } };
      throw invalid({ path: 'query.after', code: 'INVALID_VALUE', message: 'must be the id of a client' });
    }),
    look(clientLookup.readUserContract, readUser({ users: createUserOnboarding(dynamo, tables), listChanges })),
    look(clientLookup.listUsersContract, async ({ query }) => {
      const { clientId, after } = query();
      if ((await findClient(clientId)) === undefined) throw noClient();
      const { users, nextAfter } = await listUsersOf(clientId, after, MOST_LISTED);
      const items = users.map(({ userId, payer }) => ({ userId, fullName: payer?.fullName }));
      return { body: { items, nextAfter }, ids: { clientId } };
    }),
  ];
}
