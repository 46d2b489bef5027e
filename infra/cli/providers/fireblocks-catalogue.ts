import * as z from 'zod/mini';
import { type Network, networks } from '#shared/networks/network.ts';
import {
  type CallFireblocks,
  createCallFireblocks,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import type { FireblocksServer, FireblocksUser } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { ErrorAnswer } from './finding.ts';

/** Reads as one API user, from this machine. @throws {ErrorAnswer} */
export function createReadFireblocks(user: FireblocksUser, server: Pick<FireblocksServer, 'url'>) {
  return readWith(createCallFireblocks({ user: { use: (ask) => ask(user) }, server, clock: systemClock }));
}

function readWith(call: CallFireblocks) {
  return async (path: string) => {
    const { status, headers, text } = await call({ method: 'GET', path });
    if (status < 200 || status >= 300) throw new ErrorAnswer(status, text);
    return { headers, body: JSON.parse(text) as unknown };
  };
}

export type ReadFireblocks = ReturnType<typeof createReadFireblocks>;

const text = z.nullish(z.string());

/** Assets that are no cryptocurrency, like money of banks, have no blockchain. */
const asset = z.object({
  id: z.string(),
  legacyId: text,
  blockchainId: text,
  onchain: z.nullish(z.object({ address: text })),
  metadata: z.nullish(z.object({ deprecated: z.nullish(z.boolean()) })),
});

const assetPage = z.object({ data: z.array(asset), next: text });

const blockchain = z.object({ id: z.string(), nativeAssetId: text });

const blockchainPage = z.object({ data: z.array(blockchain), next: text });

/** The older list, for servers that lack the two others. */
const supported = z.array(z.object({ id: z.string(), nativeAsset: text, contractAddress: text }));

/** A token of the catalogue. */
interface Listed {
  readonly assetId: string;
  /** The legacy id of the native asset of its blockchain. */
  readonly baseAsset: string;
  readonly contract: string;
}

/** The legacy ids of native assets (github fireblocks/recovery, globalAssets.ts): main network, then test network. */
const baseAssets: Readonly<Record<Network, readonly [main: string, test: string]>> = {
  ETHEREUM: ['ETH', 'ETH_TEST5'],
  POLYGON: ['MATIC_POLYGON', 'AMOY_POLYGON_TEST'],
  BASE: ['BASECHAIN_ETH', 'BASECHAIN_ETH_TEST5'],
  ARBITRUM: ['ETH-AETH', 'ETH-AETH_SEPOLIA'],
  OPTIMISM: ['ETH-OPT', 'ETH-OPT_SEPOLIA'],
  BSC: ['BNB_BSC', 'BNB_TEST'],
  AVALANCHE: ['AVAX', 'AVAXTEST'],
  TRON: ['TRX', 'TRX_TEST'],
  STELLAR: ['XLM', 'XLM_TEST'],
  SOLANA: ['SOL', 'SOL_TEST'],
  SUI: ['SUI', 'SUI_TEST'],
};

/**
 * The issuers' own contracts of the tokens (Circle, USDC contract addresses; Tether, supported protocols), in lower
 * case: a bridged token of the same symbol is a different token.
 */
const contracts: Readonly<Record<string, Readonly<Partial<Record<Network, readonly string[]>>>>> = {
  USDC: {
    ETHEREUM: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238'],
    POLYGON: ['0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', '0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582'],
    BASE: ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', '0x036cbd53842c5426634e7929541ec2318f3dcf7e'],
    ARBITRUM: ['0xaf88d065e77c8cc2239327c5edb3a432268e5831', '0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d'],
    OPTIMISM: ['0x0b2c639c533813f4aa9d7837caf62653d097ff85', '0x5fd84259d66cd46123540766be93dfe6d43130d7'],
    AVALANCHE: ['0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', '0x5425890298aed601595a70ab815c96711a31bc65'],
    STELLAR: [
      'ga5zsejyb37jrc5avcia5mop4rhtm335x2kgx3ihojapp5re34k4kzvn',
      'gbbd47if6lwk7p7mdevscwr7dpuwv3ny3dtqevfl4nat4aqh3zllfla5',
    ],
    SOLANA: [
      'epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v',
      '4zmmc9srt5ri5x14gagxhahii3gnpaeeryPJgZJDncDU'.toLowerCase(),
    ],
  },
  USDT: {
    ETHEREUM: ['0xdac17f958d2ee523a2206206994597c13d831ec7'],
    POLYGON: ['0xc2132d05d31c914a87c6611c10748aeb04b58e8f'],
    AVALANCHE: ['0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'],
    TRON: ['tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t'],
    SOLANA: ['es9vmfrzacermjfrf4h2fyd4kconky11mcce8benwnyb'],
  },
};

/** Neither issuer has a token on BSC: these are pegs of Binance, which a person has to choose. */
const pegs: typeof contracts = {
  USDC: { BSC: ['0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'] },
  USDT: { BSC: ['0x55d398326f99059ff775485246999027b3197955'] },
};

/** Reads all pages, by `next` (Fireblocks, API reference). */
async function readPages<Page extends { readonly data: readonly unknown[]; readonly next?: string | null | undefined }>(
  read: ReadFireblocks,
  path: string,
  schema: z.ZodMiniType<Page>,
): Promise<Page['data'][number][]> {
  const all: Page['data'][number][] = [];
  for (let cursor = ''; ; ) {
    const { data, next } = schema.parse(
      (await read(`${path}&pageCursor=${encodeURIComponent(cursor)}`.replace(/&pageCursor=$/, ''))).body,
    );
    all.push(...data);
    if (!next || next === cursor) return all;
    cursor = next;
  }
}

/** Lists the tokens that the server knows, from the newer lists or the older one. @throws {ErrorAnswer} */
export async function readCatalogue(read: ReadFireblocks): Promise<readonly Listed[]> {
  try {
    return await readListed(read);
  } catch (error) {
    if (error instanceof ErrorAnswer && error.status === 404) return readSupported(read);
    throw error;
  }
}

async function readListed(read: ReadFireblocks): Promise<readonly Listed[]> {
  const [chains, assets] = await Promise.all([
    readPages(read, '/v1/blockchains?pageSize=500', blockchainPage),
    readPages(read, '/v1/assets?pageSize=500', assetPage),
  ]);
  const legacy = new Map<unknown, string>(assets.map(({ id, legacyId }) => [id, legacyId ?? id]));
  const bases = new Map<unknown, string>(
    chains.map(({ id, nativeAssetId }) => [id, legacy.get(nativeAssetId) ?? nativeAssetId ?? '']),
  );
  return assets
    .filter(({ metadata }) => metadata?.deprecated !== true)
    .map(({ id, legacyId, blockchainId, onchain }) => ({
      assetId: legacyId ?? id,
      baseAsset: bases.get(blockchainId) ?? '',
      contract: (onchain?.address ?? '').toLowerCase(),
    }));
}

async function readSupported(read: ReadFireblocks): Promise<readonly Listed[]> {
  return supported.parse((await read('/v1/supported_assets')).body).map(({ id, nativeAsset, contractAddress }) => ({
    assetId: id,
    baseAsset: nativeAsset ?? '',
    contract: (contractAddress ?? '').toLowerCase(),
  }));
}

/** A network as the settings describe it. */
interface Described {
  readonly baseAsset: string;
  readonly assets: Readonly<Record<string, string>>;
}

/**
 * The networks on which a server has one of these tokens, as `fireblocks.networks` of a stage's settings describes
 * them. Only a token of the issuer's own contract counts, and on BSC the peg.
 *
 * @param isTest prefers the test networks of a server that has both kinds
 */
export function resolveNetworks(
  listed: readonly Listed[],
  symbols: readonly string[],
  isTest: boolean,
): Partial<Record<Network, Described>> {
  const described: Partial<Record<Network, Described>> = {};
  for (const network of networks) {
    const [main, test] = baseAssets[network];
    for (const baseAsset of isTest ? [test, main] : [main, test]) {
      const assets = assetsOf(listed, network, baseAsset, symbols);
      if (Object.keys(assets).length === 0) continue;
      described[network] = { baseAsset, assets };
      break;
    }
  }
  return described;
}

/** True if the issuer's own contract on the network is known here. */
export function isIssuerKnown(symbol: string, network: Network): boolean {
  return contracts[symbol]?.[network] !== undefined;
}

function assetsOf(listed: readonly Listed[], network: Network, baseAsset: string, symbols: readonly string[]) {
  return Object.fromEntries(
    symbols.flatMap((symbol) => {
      const own = contracts[symbol]?.[network] ?? pegs[symbol]?.[network] ?? [];
      const found = listed.find((one) => one.baseAsset === baseAsset && own.includes(one.contract));
      return found === undefined ? [] : [[symbol, found.assetId]];
    }),
  );
}
