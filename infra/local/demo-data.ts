import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { formatAddress } from '#shared/domain/address.ts';
import { type Network, networks } from '#shared/domain/network.ts';
import type { StackOutputs } from './deploy.ts';
import { emulatorCredentials } from './emulator.ts';

/** What a developer needs to call the service, written to `.local/outputs.json`. */
export interface DemoData {
  readonly clients: readonly DemoClient[];
  readonly tokens: readonly DemoToken[];
}

export interface DemoClient {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly approved: boolean;
  readonly users: readonly DemoUser[];
}

interface DemoUser {
  readonly userId: string;
  readonly externalWallets: readonly { readonly id: string; readonly network: Network; readonly address: string }[];
}

interface DemoToken {
  readonly id: number;
  readonly token: string;
  readonly networks: readonly Network[];
}

const walletNetworks = ['POLYGON', 'TRON', 'STELLAR', 'SOLANA', 'SUI'] as const satisfies readonly Network[];

/** Where each token circulates, with its decimals there. */
const tokens: readonly { id: number; token: string; decimals: Partial<Record<Network, number>> }[] = [
  {
    id: 1,
    token: 'USDC',
    decimals: {
      ETHEREUM: 6,
      POLYGON: 6,
      BASE: 6,
      ARBITRUM: 6,
      OPTIMISM: 6,
      BSC: 18,
      AVALANCHE: 6,
      STELLAR: 7,
      SOLANA: 6,
      SUI: 6,
    },
  },
  { id: 2, token: 'USDT', decimals: { ETHEREUM: 6, POLYGON: 6, BSC: 18, AVALANCHE: 6, TRON: 6, SOLANA: 6 } },
];

/** Two approved clients, and one that is not, each with a user who has a wallet on five networks; and the tokens. */
export async function loadDemoData(endpoint: string, outputs: StackOutputs): Promise<DemoData> {
  const dynamo = new DynamoDBClient({ endpoint, region: emulatorCredentials.AWS_REGION, credentials: rootCredentials });
  const put = async (table: string, record: Readonly<Record<string, unknown>>) => {
    const TableName = outputs[`${table}Table`];
    await dynamo.send(new PutItemCommand({ TableName, Item: marshall(record, { removeUndefinedValues: true }) }));
  };
  const clients = [newClient('demo', true), newClient('second', true), newClient('not-approved', false)];
  const listed = tokens.map(({ id, token, decimals }) => ({
    id,
    token,
    networks: networks.filter((network) => decimals[network] !== undefined),
  }));
  await Promise.all([...clients.flatMap((client) => clientRecords(put, client)), ...tokenRecords(put)]);
  dynamo.destroy();
  return { clients, tokens: listed };
}

export const rootCredentials = {
  accessKeyId: emulatorCredentials.AWS_ACCESS_KEY_ID,
  secretAccessKey: emulatorCredentials.AWS_SECRET_ACCESS_KEY,
};

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

function clientRecords(put: Put, { clientId, clientSecret, approved, users }: DemoClient): Promise<void>[] {
  const status = approved ? 'approved' : 'pending';
  const secretDigests = [createHash('sha256').update(clientSecret).digest('hex')];
  return [
    put('clients', { clientId, complianceStatus: status, status, secretDigests }),
    ...users.flatMap(({ userId, externalWallets }) => [
      put('users', { userId, clientId }),
      ...externalWallets.map(({ id, network, address }) => put('wallets', { userId, walletId: id, network, address })),
    ]),
  ];
}

function tokenRecords(put: Put): Promise<void>[] {
  return tokens.map(({ id, token, decimals }) =>
    put('parameters', {
      kind: 'TOKEN',
      id: String(id),
      tokenId: id,
      token,
      active: true,
      networks: Object.fromEntries(
        Object.entries(decimals).map(([network, places]) => [
          network,
          { custodianAssetId: `${network}:${token}`, decimals: places },
        ]),
      ),
    }),
  );
}
