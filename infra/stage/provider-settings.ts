import * as z from 'zod/mini';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { isEvm, type Network, network, networkSpecs, networks } from '#shared/networks/network.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import { evmAccount, evmChains } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { fireblocksSettings } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { paymentMethod } from '#shared/pay-ins/payment-methods.ts';
import { wompiSettings } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { returnFault, returnSettings } from './return-routes.ts';

/** An address as wallets show it: a wrong case is a typing error. */
const shownAddress = evmAccount.shape.firstAddress.check(
  z.refine((address) => address === withChecksum('ETHEREUM', address.toLowerCase())),
);

/** The networks whose deposits are read from their own nodes, without a vendor (docs/providers.md). */
export const evmSettings = z.strictObject({
  account: z.extend(evmAccount, { firstAddress: shownAddress }),
  chains: evmChains.check(
    z.refine((chains) => networks.every((name) => chains[name] === undefined || isEvm(name)), {
      error: 'evm networks only',
    }),
  ),
});

/** The settings of a stage that choose and describe its providers. */
export const providerSettings = {
  /**
   * The custodian of each network that is served; no other network is. Without this setting, networks that `evm` and
   * `fireblocks` describe are theirs, and the others are simulated.
   */
  custodians: z.optional(z.partialRecord(network, z.enum(['simulated', 'evm', 'fireblocks']))),
  /** The rail of each payment method that is served; no other method is. Without this setting, all are simulated. */
  rails: z.optional(z.partialRecord(paymentMethod, z.enum(['simulated', 'wompi']))),
  evm: z.optional(evmSettings),
  fireblocks: z.optional(fireblocksSettings),
  wompi: z.optional(wompiSettings),
  /** How deposits are sent back. */
  returns: z.optional(z.partialRecord(network, returnSettings)),
};

const described = z.object(providerSettings);

export type ProviderSettings = z.infer<typeof described>;

/** Says what is wrong with the providers of a stage, in one sentence. */
export function providerFault(of: ProviderSettings, isProduction: boolean): string | undefined {
  const inProduction = isProduction ? sandboxFault(of) : undefined;
  return chainFault(of, isProduction) ?? custodianFault(of) ?? returnsFault(of) ?? railFault(of) ?? inProduction;
}

/** The chain ids of the main networks, the only ones with real money. */
const mainnets: Readonly<Partial<Record<Network, number>>> = {
  ETHEREUM: 1,
  POLYGON: 137,
  BASE: 8453,
  ARBITRUM: 42_161,
  OPTIMISM: 10,
  BSC: 56,
  AVALANCHE: 43_114,
};

/** An account of the phrase that chains for tests share (BIP-39): everybody has its keys. */
const SHARED_ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** Says what is wrong with the chains of a stage, in one sentence. */
function chainFault({ evm: of }: ProviderSettings, isProduction: boolean): string | undefined {
  const chains = Object.entries(of?.chains ?? {}).flatMap(([name, chain]) =>
    chain === undefined ? [] : { name, ...chain },
  );
  if (isProduction && of?.account.firstAddress === SHARED_ACCOUNT)
    return 'evm.account.firstAddress is of keys that everybody knows: give that of an account of your own.';
  for (const { name, chainId, requiredConfirmations } of chains) {
    const at = `evm.chains.${name}`;
    const owner = networks.find((network) => mainnets[network] === chainId);
    if (isProduction && owner !== name)
      return `${at}.chainId must be that of the network itself, ${mainnets[network.parse(name)]}.`;
    if (owner !== undefined && owner !== name) return `${at}.chainId is that of ${owner}.`;
    if (chains.some((other) => other.name !== name && other.chainId === chainId))
      return `${at}.chainId is that of another network, too.`;
    if (isProduction && requiredConfirmations !== undefined)
      return `${at}.requiredConfirmations is for chains without a finalized block, which no network of production is.`;
  }
  return undefined;
}

function custodianFault({ custodians, evm, fireblocks }: ProviderSettings): string | undefined {
  const of = { simulated: networkSpecs, evm: evm?.chains ?? {}, fireblocks: fireblocks?.networks ?? {} };
  const lacking = Object.entries(custodians ?? {}).find(([name, custodian]) => !(name in of[custodian]));
  if (lacking !== undefined)
    return `custodians.${lacking[0]} is ${lacking[1]}, which describes no ${lacking[0]}: add it to ${lacking[1] === 'evm' ? 'evm.chains' : 'fireblocks.networks'}.`;
  const twice = networks.find((name) => name in of.evm && name in of.fireblocks);
  // Each custodian has its own id of a movement: both would make a deposit of it, and the second one could be returned.
  if (twice !== undefined) return `${twice} is described by evm and by fireblocks: describe it at its custodian alone.`;
  const shared = sharedAsset(fireblocks);
  if (shared !== undefined) return `fireblocks.networks has ${shared} twice: one token would be credited as another.`;
  const isTagged = 'STELLAR' in of.fireblocks && fireblocks?.stellarVault === undefined;
  return isTagged
    ? 'fireblocks.networks has STELLAR, whose operations share one account: name its vault as fireblocks.stellarVault.'
    : undefined;
}

/** The custodian of a network by these settings; undefined when they choose custodians of other networks only. */
function custodianOf({ custodians, evm, fireblocks }: ProviderSettings, of: Network): CustodianName | undefined {
  if (custodians !== undefined) return custodians[of];
  return evm?.chains[of] ? 'evm' : fireblocks?.networks[of] ? 'fireblocks' : 'simulated';
}

function returnsFault(settings: ProviderSettings): string | undefined {
  for (const name of networks) {
    const route = settings.returns?.[name];
    const fault = route && returnFault(name, route, custodianOf(settings, name));
    if (fault !== undefined) return `returns.${name}${fault}`;
  }
  return undefined;
}

/** Finds an id that stands for two tokens, or on two networks. A network's own coin may be one of its tokens. */
function sharedAsset(fireblocks: ProviderSettings['fireblocks']): string | undefined {
  const ids = Object.values(fireblocks?.networks ?? {}).flatMap(({ baseAsset, assets }) => {
    const tokens = Object.values(assets);
    return tokens.includes(baseAsset) ? tokens : [baseAsset, ...tokens];
  });
  return ids.find((id, at) => ids.indexOf(id) !== at);
}

function railFault({ rails = {}, wompi }: ProviderSettings): string | undefined {
  const isChosen = Object.values(rails).includes('wompi');
  if (isChosen && wompi === undefined) return 'rails names wompi, which is not described: add wompi.server.';
  if (!isChosen && wompi !== undefined) return 'wompi is described, but rails names it for no payment method.';
  return undefined;
}

function sandboxFault({ fireblocks, wompi }: ProviderSettings): string | undefined {
  if (fireblocks?.server === 'sandbox')
    return 'fireblocks.server is the sandbox, where no money is: name the one of your workspace.';
  return wompi?.server === 'sandbox'
    ? 'wompi.server is the sandbox, where no money is: it must be production.'
    : undefined;
}
