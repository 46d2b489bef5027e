import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalAws } from '#infra/cli/local-aws.ts';
import type { DemoClient, DemoData, DemoToken } from '#infra/cli/local-outputs.ts';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { identificationClaim } from '#shared/clients/identification-claim.ts';
import { formatAddress, type Network, networks } from '#shared/networks/network.ts';
import { demoProfile } from './demo-profile.ts';
import type { StackOutputs } from './deploy.ts';

const walletNetworks = ['POLYGON', 'TRON', 'STELLAR', 'SOLANA', 'SUI'] as const satisfies readonly Network[];

/** Two approved clients, and one that is not, each with a user who has a wallet on five networks. */
export async function loadDemoData(aws: LocalAws, outputs: StackOutputs): Promise<DemoData> {
  const add = (name: string, approved = true) => addDemoClient(aws, outputs, name, approved);
  const clients = await Promise.all([add('demo'), add('second'), add('not-approved', false)]);
  return { clients, tokens: deployedTokens() };
}

/** A client with a user who has a wallet on each of five networks, put into the tables. */
export async function addDemoClient(
  aws: LocalAws,
  outputs: StackOutputs,
  name: string,
  approved: boolean,
): Promise<DemoClient> {
  const connection = new DynamoDBClient(aws);
  const dynamo = DynamoDBDocumentClient.from(connection);
  const put = async (table: string, record: Readonly<Record<string, unknown>>) => {
    const TableName = outputs[`${table}Table`];
    await dynamo.send(new PutCommand({ TableName, Item: record }));
  };
  const client = newClient(name, approved);
  await Promise.all(clientRecords(put, client));
  connection.destroy();
  return client;
}

type Put = (table: string, record: Readonly<Record<string, unknown>>) => Promise<void>;

function newClient(name: string, approved: boolean): DemoClient {
  const externalWallets = walletNetworks.map((network) => ({
    id: randomUUID(),
    network,
    address: formatAddress(network, randomBytes(32)),
  }));
  const users = [{ userId: randomUUID(), externalWallets }];
  return { name, clientId: randomUUID(), clientSecret: randomBytes(32).toString('base64url'), approved, users };
}

function clientRecords(put: Put, { name, clientId, clientSecret, approved, users }: DemoClient): Promise<void>[] {
  const status = approved ? 'approved' : 'pending';
  const secretDigests = [createHash('sha256').update(clientSecret).digest('hex')];
  const profile = demoProfile(name, clientId);
  const record = { clientId, complianceStatus: status, status, secretDigests, profile };
  return [
    put('clients', { ...record, ...directoryEntry(profile) }),
    put('clients', identificationClaim(profile.person, clientId)),
    ...users.flatMap(({ userId, externalWallets }) => [
      put('users', { userId, clientId, phone: '3001234567', payer }),
      ...externalWallets.map(({ id, network, address }) => put('wallets', { userId, walletId: id, network, address })),
    ]),
  ];
}

/** The active tokens, as the deployment has loaded them. */
function deployedTokens(): readonly DemoToken[] {
  return readParameterLists('local')
    .tokens.filter(({ active }) => active)
    .map((token) => ({
      id: token.tokenId,
      token: token.token,
      networks: networks.filter((network) => token.networks[network] !== undefined),
    }));
}

/** What rails ask of a payer; invented. */
const payer = {
  fullName: 'Demo Payer',
  email: 'payer@example.com',
  documentType: 'CC',
  documentNumber: '1020304050',
};
