import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createSearchClients } from '#shared/clients/client-directory.ts';
import * as clientLookup from '#shared/clients/client-lookups.ts';
import { createFindClient, createFindClientProfile } from '#shared/clients/client-repository.ts';
import { noClient } from '#shared/clients/no-client.ts';
import { createListUsersOf, createUserOnboarding } from '#shared/clients/user-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { MOST_LISTED } from '#shared/platform/operators/list-answer.ts';
import { createListChanges } from '#shared/platform/operators/list-changes.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { readClient } from './read-client.ts';
import { readUser } from './read-user.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'clients' | 'users' | 'wallets' | 'audit', string>>;
  readonly clock: Clock;
}

/** The look-ups of operators about clients and their users. */
export function lookUpClients({ dynamo, tables, clock }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const listChanges = createListChanges(dynamo, tables.audit, clock);
  const findClient = createFindClient(dynamo, tables.clients);
  const findProfile = createFindClientProfile(dynamo, tables.clients);
  const searchClients = createSearchClients(dynamo, tables.clients, clock);
  const listUsersOf = createListUsersOf(dynamo, tables.users, clock);
  return routeByPath(
    new Map([
      registerLookup(clientLookup.readClientContract, readClient({ findProfile, findClient, listChanges, clock })),
      registerLookup(clientLookup.listClientsContract, async ({ query }) => {
        const { name = '', after } = query();
        const page = await searchClients(name, after, MOST_LISTED);
        if (page !== 'UNKNOWN') return { body: { ...page, items: [...page.items] } };
        throw invalid({ path: 'query.after', code: 'INVALID_VALUE', message: 'must be the id of a client' });
      }),
      registerLookup(
        clientLookup.readUserContract,
        readUser({ users: createUserOnboarding(dynamo, tables), listChanges }),
      ),
      registerLookup(clientLookup.listUsersAsOperatorContract, async ({ query }) => {
        const { clientId, after } = query();
        if ((await findClient(clientId)) === undefined) throw noClient();
        const { users, unreadableIds, nextAfter } = await listUsersOf(clientId, after, MOST_LISTED);
        const items = users.map(({ userId, payer }) => ({ userId, fullName: payer?.fullName }));
        const missing = unreadableIds.length > 0 ? { unreadableIds: [...unreadableIds] } : {};
        return { body: { items, ...missing, nextAfter }, ids: { clientId } };
      }),
    ]),
  );
}
