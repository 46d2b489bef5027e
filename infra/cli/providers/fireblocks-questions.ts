import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { transactionEvents } from '#shared/off-ramps/custodians/fireblocks/fireblocks-notifications.ts';
import type { FireblocksSettings } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import {
  agreement,
  compareLists,
  difference,
  ErrorAnswer,
  type Finding,
  type ManualCheck,
  memoize,
  type Question,
  undecided,
} from './finding.ts';
import { isIssuerKnown, type ReadFireblocks, readCatalogue, resolveNetworks } from './fireblocks-catalogue.ts';

const record = z.object({
  id: z.string(),
  status: z.string(),
  subStatus: z.nullish(z.string()),
  txHash: z.nullish(z.string()),
  assetId: z.string(),
  numOfConfirmations: z.nullish(z.number()),
  destinationAddress: z.nullish(z.string()),
  destinationTag: z.nullish(z.string()),
  destination: z.optional(z.object({ id: z.nullish(z.string()) })),
});

const records = z.array(record);

type Transaction = z.infer<typeof record>;

/** Deposits, the newest first. */
const DEPOSITS = '/v1/transactions?destType=VAULT_ACCOUNT&orderBy=createdAt&sort=DESC&limit=500&after=1';

const vaults = z.object({
  accounts: z.array(z.object({ id: z.string(), name: z.string(), assets: z.array(z.object({ id: z.string() })) })),
});

const addresses = z.object({ addresses: z.array(z.object({ address: z.string(), tag: z.optional(z.string()) })) });

const webhooks = z.object({
  data: z.array(z.object({ url: z.string(), status: z.string(), events: z.array(z.string()) })),
});

const NONE_YET = 'there is no deposit yet that shows it';

/** Questions that only a workspace can answer, about a stage's settings (docs/providers.md). */
export function fireblocksQuestions(read: ReadFireblocks, settings: FireblocksSettings): readonly Question[] {
  const deposits = memoize(async () => records.parse((await read(DEPOSITS)).body));
  const completed = async () => (await deposits()).filter(({ status }) => status === 'COMPLETED');
  const catalogue = memoize(() => readCatalogue(read));
  const networks = network.options.flatMap((name) => {
    const described = settings.networks[name];
    return described === undefined ? [] : [[name, described] as const];
  });
  const addressesOf = async (vault: string, asset: string) =>
    addresses.parse((await read(`/v1/vault/accounts/${vault}/${asset}/addresses_paginated`)).body).addresses;

  return [
    {
      about: 'the key of the reader',
      request: 'GET /v1/transactions?limit=1',
      ask: async () => {
        await read('/v1/transactions?limit=1');
        return agreement('its signature is accepted');
      },
    },
    {
      about: 'the role of the reader',
      request: 'GET /v1/supported_assets',
      ask: async () => {
        const status = await statusOf(read, '/v1/supported_assets');
        return status === '403'
          ? agreement('a Viewer, as it should be')
          : difference(`answered with ${status}, where a Viewer is refused: the reader may do more than read`);
      },
    },
    {
      about: 'headers of pages',
      request: 'GET /v1/transactions?after=1&limit=1',
      ask: async () => {
        const { headers } = await read('/v1/transactions?after=1&limit=1');
        const next = headers['next-page'];
        return next === undefined
          ? undecided('no next-page: there may be one transaction only')
          : agreement(`next-page: ${next}`);
      },
    },
    ...networks.map(([network, { baseAsset, assets }]) => ({
      about: `assets on ${network}`,
      request: 'GET /v1/blockchains, GET /v1/assets',
      ask: async () => {
        const isTest = /TEST|SEPOLIA/.test(baseAsset);
        const theirs = resolveNetworks(await catalogue(), Object.keys(assets), isTest)[network];
        const known = Object.entries(assets).filter(([symbol]) => isIssuerKnown(symbol, network));
        if (known.length === 0) return undecided('the issuers’ contracts are not known here');
        if (theirs === undefined)
          return difference('the catalogue has none of its tokens with their issuers’ contracts');
        const named = (base: string, of: readonly (readonly [string, string])[]) => [
          `native ${base}`,
          ...of.map((one) => one.join(' ')),
        ];
        return compareLists(named(baseAsset, known), named(theirs.baseAsset, Object.entries(theirs.assets)));
      },
    })),
    ...networks.flatMap(([network, { baseAsset, assets }]) =>
      Object.entries(assets).flatMap(([symbol, id]) => {
        if (isIssuerKnown(symbol, network)) return [];
        return {
          about: `${symbol} on ${network}, whose issuer’s contract is not known here`,
          request: 'GET /v1/blockchains, GET /v1/assets',
          ask: async (): Promise<Finding> => {
            const one = (await catalogue()).find(({ assetId }) => assetId === id);
            return one?.baseAsset === baseAsset
              ? undecided(`${id} has the contract ${one.contract || '(none)'}: compare it with the issuer’s`)
              : difference(`the catalogue has no ${id} on the network of ${baseAsset}`);
          },
        };
      }),
    ),
    ...networks.map(([network, { baseAsset, assets }]) => ({
      about: `confirmations on ${network}`,
      request: `GET ${DEPOSITS}`,
      ask: async (): Promise<Finding> => {
        const ids = [baseAsset, ...Object.values(assets)];
        const counts = (await completed()).flatMap(({ assetId, numOfConfirmations }) =>
          ids.includes(assetId) && typeof numOfConfirmations === 'number' ? [numOfConfirmations] : [],
        );
        if (counts.length === 0) return undecided(NONE_YET);
        const [least, most] = [Math.min(...counts), Math.max(...counts)];
        return agreement(
          `completed with ${least === most ? least : `${least} to ${most}`}, of ${counts.length} deposits`,
        );
      },
    })),
    {
      about: 'upper and lower case of hashes',
      request: 'GET /v1/transactions?after=1&txHash=0xABC…',
      ask: async () => caseOfHashes(read, await deposits()),
    },
    {
      about: 'addresses of one vault on EVM networks',
      request: 'GET /v1/vault/accounts_paged, GET /v1/vault/accounts/{id}/{assetId}/addresses_paginated',
      ask: async () => {
        const { accounts } = vaults.parse((await read('/v1/vault/accounts_paged?limit=200')).body);
        const evm = networks.flatMap(([name, { baseAsset }]) => (notEvm.includes(name) ? [] : [baseAsset]));
        for (const { id, assets } of accounts) {
          const own = assets.flatMap((one) => (evm.includes(one.id) ? [one.id] : []));
          if (own.length < 2) continue;
          const found = await Promise.all(own.map((asset) => addressesOf(id, asset)));
          const all = new Set(found.flat().map(({ address }) => address.toLowerCase()));
          return all.size === 1
            ? agreement('they are one')
            : difference(`${all.size} addresses of ${own.join(', ')} in vault ${id}`);
        }
        return undecided('no vault has two EVM networks yet');
      },
    },
    {
      about: 'names of vaults',
      request: 'GET /v1/vault/accounts_paged',
      ask: async () => {
        const { accounts } = vaults.parse((await read('/v1/vault/accounts_paged?limit=200')).body);
        const names = accounts.map(({ name }) => name);
        const twice = names.filter((name, at) => names.indexOf(name) !== at);
        return twice.length === 0
          ? agreement('each once')
          : undecided(`more than once: ${twice.slice(0, 5).join(', ')}`);
      },
    },
    ...['SOLANA', 'STELLAR'].flatMap((network) => {
      const held = networks.find(([name]) => name === network)?.[1];
      if (held === undefined) return [];
      return {
        about: `destinations on ${network}`,
        request: `GET ${DEPOSITS}`,
        ask: async (): Promise<Finding> => {
          const ids = Object.values(held.assets);
          const deposit = (await deposits()).find(
            ({ assetId, destinationAddress }) => ids.includes(assetId) && destinationAddress,
          );
          const vault = deposit?.destination?.id;
          if (deposit === undefined || vault === undefined || vault === null) return undecided(NONE_YET);
          const own = await addressesOf(vault, held.baseAsset);
          const isOwn = own.some(({ address }) => address === deposit.destinationAddress);
          const tag = deposit.destinationTag ? `, tag ${deposit.destinationTag}` : '';
          return isOwn
            ? agreement(`the address of the vault${tag}`)
            : difference(`not an address of vault ${vault}${tag}`);
        },
      };
    }),
    {
      about: 'webhooks',
      request: 'GET /v1/webhooks',
      ask: async () => {
        const { data } = webhooks.parse((await read('/v1/webhooks')).body);
        const ours = data.filter(({ url }) => url.endsWith('/api/custodian/notifications/fireblocks'));
        if (ours.length === 0) return difference('none ends with /api/custodian/notifications/fireblocks');
        const results = ours.map(({ url, status, events }) => {
          const lacking = transactionEvents.filter((event) => !events.includes(event));
          const texts = [
            `${url}: ${status}`,
            ...(lacking.length > 0 ? [`not subscribed to ${lacking.join(', ')}`] : []),
          ];
          return { isRight: status === 'ENABLED' && lacking.length === 0, text: texts.join(', ') };
        });
        const { isRight = false, text = '' } = results.find((one) => !one.isRight) ?? results[0] ?? {};
        return isRight ? agreement(text) : difference(text);
      },
    },
  ];
}

const notEvm: readonly string[] = ['TRON', 'STELLAR', 'SOLANA', 'SUI'];

async function caseOfHashes(read: ReadFireblocks, deposits: readonly Transaction[]): Promise<Finding> {
  const txHash = deposits.find((one) => /^0x[0-9a-f]*[a-f]/.test(one.txHash ?? ''))?.txHash;
  if (txHash === undefined || txHash === null) return undecided(NONE_YET);
  const count = async (hash: string) =>
    records.parse((await read(`/v1/transactions?after=1&txHash=${hash}`)).body).length;
  const [lower, upper] = [await count(txHash), await count(`0x${txHash.slice(2).toUpperCase()}`)];
  if (lower === 0) return difference('a hash in lower case is not found, which is how the service asks');
  return agreement(upper === lower ? 'it does not matter' : 'only lower case is found, which is how the service asks');
}

export async function statusOf(read: ReadFireblocks, path: string): Promise<string> {
  try {
    await read(path);
    return '200';
  } catch (error) {
    if (error instanceof ErrorAnswer) return String(error.status);
    throw error;
  }
}

/** Checks that create or freeze something, or load the server. */
export const fireblocksManualChecks: readonly ManualCheck[] = [
  {
    about: 'whether the count goes on after COMPLETED',
    request: 'GET /v1/transactions/{id} at COMPLETED, and ten minutes later',
  },
  { about: 'headers of 429', request: 'GET /v1/transactions?after=1&limit=1, 200 times in a minute' },
  {
    about: 'a deposit to a vault without wallets',
    request: 'send a token to a vault that has only another network’s wallet: is there a transaction?',
  },
  { about: 'who may make tags', request: 'POST /v1/vault/accounts/0/XLM_TEST/addresses as an Editor: 403?' },
  {
    about: 'a second address of an account',
    request: 'POST /v1/vault/accounts/0/ETH_TEST5/addresses as an admin: status and code',
  },
  {
    about: 'two vaults of one name',
    request: 'POST /v1/vault/accounts {"name": "twice"}, twice, with different idempotency keys',
  },
  {
    about: 'idempotency keys',
    request: 'POST /v1/vault/accounts with a key of 41 characters; with a known key and another body',
  },
  {
    about: 'a frozen deposit and its release',
    request: 'POST /v1/transactions/{id}/freeze, read, …/unfreeze, read: status and events',
  },
  {
    about: 'repeats of webhooks',
    request: 'an endpoint that answers 500 twice: bytes, kid and createdAt of each call',
  },
];
