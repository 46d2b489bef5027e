import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalAws } from '#infra/cli/local-aws.ts';
import type { DemoClient, DemoData, DemoToken, LocalChains } from '#infra/cli/local-outputs.ts';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import type { LocalProviders } from '#infra/stage/local-providers.ts';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { identificationClaim } from '#shared/clients/client-onboarding.ts';
import { formatAddress, type Network, networks } from '#shared/networks/network.ts';
import { demoProfile } from './demo-profile.ts';
import type { StackOutputs } from './deploy.ts';

const walletNetworks = ['POLYGON', 'TRON', 'STELLAR', 'SOLANA', 'SUI'] as const satisfies readonly Network[];

/** Two approved clients, and one that is not, each with a user who has a wallet on five networks. */
export async function loadDemoData(
  aws: LocalAws,
  outputs: StackOutputs,
  chains: LocalChains,
  providers: LocalProviders,
): Promise<DemoData> {
  const add = (name: string, approved = true) => addDemoClient(aws, outputs, { name, approved, chains });
  const clients = await Promise.all([add('demo'), add('second'), add('not-approved', false)]);
  return { clients, tokens: deployedTokens(providers) };
}

interface NewDemoClient {
  readonly name: string;
  readonly approved: boolean;
  /** On these networks the user's wallet is the account that has the token. */
  readonly chains?: LocalChains;
}

/** A client with a user who has a wallet on each of five networks, put into the tables. */
export async function addDemoClient(
  aws: LocalAws,
  outputs: StackOutputs,
  { name, approved, chains = {} }: NewDemoClient,
): Promise<DemoClient> {
  const connection = new DynamoDBClient(aws);
  const dynamo = DynamoDBDocumentClient.from(connection);
  const put = async (table: string, record: Readonly<Record<string, unknown>>) => {
    const TableName = outputs[`${table}Table`];
    await dynamo.send(new PutCommand({ TableName, Item: record }));
  };
  const client = newClient(name, approved, chains);
  await Promise.all(clientRecords(put, client));
  connection.destroy();
  return client;
}

type Put = (table: string, record: Readonly<Record<string, unknown>>) => Promise<void>;

function newClient(name: string, approved: boolean, chains: LocalChains): DemoClient {
  const onChains = networks.filter((network) => chains[network] !== undefined);
  const externalWallets = [...new Set<Network>([...walletNetworks, ...onChains])].map((network) => ({
    id: randomUUID(),
    network,
    address: chains[network]?.fundedAccount ?? formatAddress(network, randomBytes(32)),
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
function deployedTokens({ evm, fireblocks }: LocalProviders): readonly DemoToken[] {
  const custody = { evm, ...(fireblocks && { fireblocks: { ...fireblocks, server: 'sandbox' as const } }) };
  return readParameterLists('local', custody)
    .tokens.filter(({ active }) => active)
    .map((token) => ({
      id: token.tokenId,
      token: token.token,
      networks: networks.filter((network) => token.networks[network] !== undefined),
    }));
}

/** What rails require of a payer; invented. */
const payer = {
  fullName: 'Demo Payer',
  email: 'payer@example.com',
  documentType: 'CC',
  documentNumber: '1020304050',
  personType: 'NATURAL',
  acceptedTermsAt: '2026-01-01T00:00:00.000Z',
};
