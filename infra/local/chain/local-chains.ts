import { pbkdf2Sync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { localDirectory } from '#infra/cli/local-directory.ts';
import type { LocalChain, LocalChains } from '#infra/cli/local-outputs.ts';
import { localSecrets } from '#infra/stage/local-providers.ts';
import { type Network, networks } from '#shared/networks/network.ts';
import { firstAddressOf } from '#shared/off-ramps/custodians/evm/derive-addresses.ts';
import type { EvmChain } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { mapPresent } from '#shared/platform/collections.ts';
import { CannotStart } from '../cannot-start.ts';
import { type Anvil, anvilProgram, startAnvil } from './anvil.ts';
import { createChainClient } from './chain-client.ts';

/** The networks that have a chain on this machine: two, so that one network's settings cannot pass for another's. */
export const chainNetworks = ['POLYGON', 'BASE'] as const satisfies readonly Network[];

/** The id of the first chain; the others follow. */
const FIRST_CHAIN_ID = 31_337;

const TOKEN = { symbol: 'USDC', decimals: 6 };

/** The accounts of the phrase that chains for tests share (BIP-39). */
const root = HDKey.fromMasterSeed(pbkdf2Sync(`${'test '.repeat(11)}junk`, 'mnemonic', 2048, 64, 'sha512'));

/** The public key from which the addresses of operations are derived here. */
export const sampleAccountKey = root.derive("m/44'/60'/7'").publicExtendedKey;

const sampleAccount = { firstAddress: firstAddressOf(sampleAccountKey), depth: 3 };

const fundedPrivateKey = `0x${Buffer.from(root.derive("m/44'/60'/0'/0/0").privateKey ?? []).toString('hex')}`;

interface ChainsOptions {
  readonly networks?: readonly Network[];
  /** The port of the first chain; the others follow. Without it, any free ports. */
  readonly port?: number;
  /** Seconds between two blocks. */
  readonly blockTime: number;
}

/** Starts a chain for each network, with a token on it. */
export async function startChains({ networks: served = chainNetworks, port = 0, blockTime }: ChainsOptions) {
  const program = anvilProgram();
  if (program === undefined)
    throw new CannotStart('There is no anvil for this platform: run npm install --no-save @foundry-rs/anvil@1.7.1');
  const started: Anvil[] = [];
  const stop = async () => {
    for (const { child } of started) child.kill();
    await Promise.all(started.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  };
  const chains: Partial<Record<Network, LocalChain>> = {};
  try {
    for (const [at, network] of served.entries()) {
      const chainId = FIRST_CHAIN_ID + at;
      const anvil = await startAnvil({ program, chainId, blockTime, port: port === 0 ? 0 : port + at });
      started.push(anvil);
      chains[network] = await withToken(anvil.url, chainId);
    }
    return { chains, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function withToken(rpcUrl: string, chainId: number): Promise<LocalChain> {
  const chain = createChainClient(rpcUrl);
  const [fundedAccount = ''] = await chain.accounts();
  const token = await chain.deploy(fundedAccount, TOKEN);
  return { rpcUrl, chainId, token, decimals: TOKEN.decimals, fundedAccount, fundedPrivateKey };
}

/** The settings of a stage for the chains and the account. */
export function evmSettingsOf(chains: LocalChains) {
  const described: Partial<Record<Network, EvmChain>> = {};
  for (const network of networks) {
    const chain = chains[network];
    if (chain !== undefined) described[network] = describeChain(network, chain);
  }
  return { account: sampleAccount, chains: described };
}

/** Returns are sent by hand from the funded account, with `npm run chain -- send`. */
export function returnsOf(chains: LocalChains) {
  return mapPresent(chains, ({ fundedAccount: from }) => ({ from, byHand: true as const }));
}

export function describeChain(network: Network, { chainId, token: contract, decimals }: LocalChain): EvmChain {
  const { symbol } = TOKEN;
  return { chainId, tokens: [{ custodianAssetId: `${network}:${symbol}`, contract, symbol, decimals }] };
}

/** The secrets of the chains for the Secrets Manager of this machine, by name. */
export function secretsOf(chains: LocalChains): Readonly<Record<string, string>> {
  const nodes = Object.entries(chains).map(([network, { rpcUrl }]) => [network, [rpcUrl]]);
  return {
    [localSecrets.EVM_NODES]: JSON.stringify(Object.fromEntries(nodes)),
    [localSecrets.EVM_ACCOUNT_KEY]: sampleAccountKey,
  };
}

/** For `npm run chain`: the chains of the run started last. */
export const chainFile = join(localDirectory, 'chain.json');

/** Lets `npm run chain` find these chains, until another run starts. @returns a function that ends that */
export async function publishChains(chains: LocalChains, directory = localDirectory): Promise<() => Promise<void>> {
  const [file, text] = [join(directory, basename(chainFile)), JSON.stringify(chains, undefined, 2)];
  await mkdir(directory, { recursive: true });
  await writeFile(file, text);
  return async () => {
    // The file may name the chains of a later run by now.
    const published = await readFile(file, 'utf8').catch(() => undefined);
    if (published === text) await rm(file, { force: true });
  };
}
