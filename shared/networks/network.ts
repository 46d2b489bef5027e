import * as z from 'zod/mini';
import { setting } from '#shared/platform/environment.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { type AccountAddress, evm, type NetworkFamily, solana, stellar, sui, tron } from './network-families.ts';

/**
 * The networks that a deposit can arrive on (decisions.md 4, Networks). A separate list, so that a function that needs
 * only names bundles no entry and no family.
 */
export const networks = [
  'ETHEREUM',
  'POLYGON',
  'BASE',
  'ARBITRUM',
  'OPTIMISM',
  'BSC',
  'AVALANCHE',
  'TRON',
  'STELLAR',
  'SOLANA',
  'SUI',
] as const;

export type Network = (typeof networks)[number];

export const network = z.enum(networks);

/** A transaction hash in its normal form; a hash that people write has to be normalised first. */
export const txHash = z.string();

documentValues('Network', network, 'A blockchain on which deposits can arrive.', {
  ETHEREUM: 'Ethereum (EVM).',
  POLYGON: 'Polygon PoS (EVM).',
  BASE: 'Base (EVM).',
  ARBITRUM: 'Arbitrum One (EVM).',
  OPTIMISM: 'OP Mainnet (EVM).',
  BSC: 'BNB Smart Chain (EVM).',
  AVALANCHE: 'Avalanche C-Chain (EVM).',
  TRON: 'TRON.',
  STELLAR: 'Stellar. A deposit may need the memo in addressTag.',
  SOLANA: 'Solana.',
  SUI: 'Sui.',
});

/** What a stage requires before a deposit on a network counts. */
export interface NetworkRules {
  /**
   * Seconds until a transaction on the network is usually final; the first poll after the immediate one waits this long.
   * It decides nothing else: the custodian says what is final.
   */
  readonly finalitySeconds: number;
}

const networkRules = z.record(network, z.object({ finalitySeconds: z.number() }));

/** The rules of each network, as the stage sets them. */
export function networkRulesSetting(): Readonly<Record<Network, NetworkRules>> {
  return networkRules.parse(JSON.parse(setting('NETWORK_RULES')));
}

/** The only description of a network in the service. */
export interface NetworkSpec extends NetworkRules {
  readonly family: NetworkFamily;
}

/** Finality by each network's own rule, with its source; a custodian may go by another rule. */
export const networkSpecs: Readonly<Record<Network, NetworkSpec>> = {
  // ethereum.org, proof of stake, finality: two epochs of 32 slots of 12 seconds.
  ETHEREUM: { family: evm, finalitySeconds: 768 },
  // PIP-11: final with its milestone. Where milestones come faster, this costs nothing but a later poll.
  POLYGON: { family: evm, finalitySeconds: 125 },
  // docs.base.org, transaction finality: the batch is on Ethereum after 2 minutes, and final there after about 20.
  BASE: { family: evm, finalitySeconds: 1200 },
  // docs.arbitrum.io, finality: the batch is on Ethereum after minutes, and final with its block.
  ARBITRUM: { family: evm, finalitySeconds: 1200 },
  // docs.optimism.io, transaction finality: 20 to 30 minutes, with its batch on Ethereum.
  OPTIMISM: { family: evm, finalitySeconds: 1200 },
  // docs.bnbchain.org, fast finality: 1.1 seconds, so the shortest wait between two polls.
  BSC: { family: evm, finalitySeconds: 5 },
  // build.avax.network, exchange integration: final after about one second.
  AVALANCHE: { family: evm, finalitySeconds: 5 },
  // developers.tron.network, solidified blocks: 19 of 27 representatives with blocks of 3 seconds.
  TRON: { family: tron, finalitySeconds: 57 },
  // developers.stellar.org, consensus protocol: a ledger closes every 5 to 6 seconds, and is final.
  STELLAR: { family: stellar, finalitySeconds: 6 },
  // docs.solana.com, commitment `finalized`: 32 slots of 0.4 seconds.
  SOLANA: { family: solana, finalitySeconds: 13 },
  // docs.sui.io, transaction lifecycle: a few seconds where objects are shared.
  SUI: { family: sui, finalitySeconds: 5 },
};

/** True if the network has Ethereum's addresses and hashes. */
export function isEvm(network: Network): boolean {
  return networkSpecs[network].family === evm;
}

/** Longer than any address: bounds the cost of reading a text. */
const LONGEST = 128;

/** The normal form of an address, in which two spellings of one account are equal; `undefined` for anything else. */
export function parseAddress(network: Network, text: string): AccountAddress | undefined {
  return text.length > LONGEST ? undefined : networkSpecs[network].family.parseAddress(text);
}

/**
 * An account with the tag that is given beside its address; `undefined` if the address itself contains another tag
 * (SEP-23).
 */
export function withTag(account: AccountAddress, tag: string | undefined): AccountAddress | undefined {
  if (tag === undefined) return account;
  return account.tag === undefined || account.tag === tag ? { ...account, tag } : undefined;
}

/** True if two spellings name the same account. A text that is no address equals nothing. */
export function isSameAddress(network: Network, one: string, other: string): boolean {
  const [first, second] = [parseAddress(network, one), parseAddress(network, other)];
  return first !== undefined && first.address === second?.address;
}

/** The known spelling, if the text names the same account and neither has a tag; else `undefined`. */
export function knownSpelling(network: Network, text: string, known: string): string | undefined {
  const tags = [text, known].map((one) => parseAddress(network, one)?.tag);
  return isSameAddress(network, text, known) && tags.every((tag) => tag === undefined) ? known : undefined;
}

/** The address of an account with this 32-byte key, in its normal form. */
export function formatAddress(network: Network, key: Uint8Array): string {
  return networkSpecs[network].family.formatAddress(key);
}

/** The text of the error when a hash does not fit the network (interface 4.3). */
export function transactionHashFormat(network: Network): string {
  return networkSpecs[network].family.hashFormat;
}

/**
 * The one form in which a hash is stored, compared and claimed: trimmed; hexadecimal in lower case; base58 unchanged,
 * because its case carries data. `undefined` when the text is no transaction hash of the network.
 *
 * Source: interface 4.3; lengths of base58 forms from the networks' own validators (64 to 88 and 32 to 44 characters).
 */
export function normaliseTransactionHash(network: Network, text: string): string | undefined {
  return networkSpecs[network].family.normaliseHash(text.trim());
}
