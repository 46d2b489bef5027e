import type { OperatorRoute } from '#infra/operators/operator-route.ts';
import {
  approveClient,
  createClient,
  readClient,
  rotateSecret,
  suspendClient,
} from '#shared/clients/client-commands.ts';
import { addUser, declareWallet, readUser, updateUser, withdrawWallet } from '#shared/clients/user-commands.ts';

/** Onboarding: what operators look up and change of clients, users and wallets. */
export const clientOperatorRoutes: readonly OperatorRoute[] = [
  { contract: createClient, tables: { clients: ['PutItem'] } },
  { contract: approveClient, tables: { clients: ['GetItem'] }, sendsAsCompliance: true },
  { contract: suspendClient, tables: { clients: ['GetItem'] }, sendsAsCompliance: true },
  { contract: rotateSecret, tables: { clients: ['GetItem', 'UpdateItem'] } },
  { contract: readClient, tables: { clients: ['GetItem'] } },
  { contract: addUser, tables: { clients: ['GetItem'], users: ['PutItem'] } },
  { contract: updateUser, tables: { users: ['GetItem', 'UpdateItem'] } },
  { contract: declareWallet, tables: { users: ['GetItem'], wallets: ['PutItem'] } },
  { contract: withdrawWallet, tables: { wallets: ['DeleteItem'] } },
  { contract: readUser, tables: { users: ['GetItem'], wallets: ['Query'] } },
];
