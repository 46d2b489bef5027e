import { type Network, network, networkSpecs, networks } from '#shared/networks/network.ts';
import type { Settings } from './read-settings.ts';

/** What is wrong with the providers of a stage, in one sentence. */
export function providerFault(of: Settings, isProduction: boolean): string | undefined {
  const inProduction = isProduction ? sandboxFault(of) : undefined;
  return chainFault(of, isProduction) ?? custodianFault(of) ?? railFault(of) ?? inProduction;
}

/** The chain ids of the networks themselves: money is nowhere else. */
const mainnets: Readonly<Partial<Record<Network, number>>> = {
  ETHEREUM: 1,
  POLYGON: 137,
  BASE: 8453,
  ARBITRUM: 42_161,
  OPTIMISM: 10,
  BSC: 56,
  AVALANCHE: 43_114,
};

/** Of the phrase that chains for tests share (BIP-39): everybody has the keys. */
const SHARED_ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** What is wrong with the chains of a stage, in one sentence. */
function chainFault({ evm: of }: Settings, isProduction: boolean): string | undefined {
  const chains = Object.entries(of?.chains ?? {}).flatMap(([name, chain]) =>
    chain === undefined ? [] : { name, ...chain },
  );
  if (isProduction && of?.account.firstAddress === SHARED_ACCOUNT)
    return 'evm.account.firstAddress is of keys that everybody has: give that of an account of your own.';
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

function custodianFault({ custodians, evm, fireblocks }: Settings): string | undefined {
  const described = { simulated: networkSpecs, evm: evm?.chains ?? {}, fireblocks: fireblocks?.networks ?? {} };
  const lacking = Object.entries(custodians ?? {}).find(([name, custodian]) => !(name in described[custodian]));
  if (lacking !== undefined)
    return `custodians.${lacking[0]} is ${lacking[1]}, which describes no ${lacking[0]}: add it to ${lacking[1] === 'evm' ? 'evm.chains' : 'fireblocks.networks'}.`;
  const twice = networks.find((name) => name in described.evm && name in described.fireblocks);
  if (custodians === undefined && twice !== undefined)
    return `${twice} is described by evm and by fireblocks: say in custodians which one it has.`;
  const isTagged = 'STELLAR' in described.fireblocks && fireblocks?.stellarVault === undefined;
  return isTagged
    ? 'fireblocks.networks has STELLAR, whose operations share one account: name its vault as fireblocks.stellarVault.'
    : undefined;
}

function railFault({ rails = {}, wompi }: Settings): string | undefined {
  const isChosen = Object.values(rails).includes('wompi');
  if (isChosen && wompi === undefined) return 'rails names wompi, which is not described: add wompi.server.';
  if (!isChosen && wompi !== undefined) return 'wompi is described, but rails names it for no payment method.';
  return undefined;
}

function sandboxFault({ fireblocks, wompi }: Settings): string | undefined {
  if (fireblocks?.server === 'sandbox')
    return 'fireblocks.server is the sandbox, where no money is: name the one of your workspace.';
  return wompi?.server === 'sandbox'
    ? 'wompi.server is the sandbox, where no money is: it must be production.'
    : undefined;
}
