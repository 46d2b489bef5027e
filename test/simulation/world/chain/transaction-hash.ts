import { base58, hex } from '@scure/base';
import { type Network, networkSpecs } from '#shared/networks/network.ts';
import { type NetworkFamily, solana, stellar, sui, tron } from '#shared/networks/network-families.ts';
import type { Random } from '#test/simulation/kernel/random.ts';

/** Formats by network family; any other family writes `0x` and hexadecimal. */
const formats: ReadonlyMap<NetworkFamily, (bytes: Uint8Array) => string> = new Map([
  [tron, (bytes) => hex.encode(bytes.subarray(0, 32))],
  [stellar, (bytes) => hex.encode(bytes.subarray(0, 32))],
  [solana, (bytes) => base58.encode(bytes)],
  [sui, (bytes) => base58.encode(bytes.subarray(0, 32))],
]);

/** Returns a new transaction hash in the format of its network. */
export function newTransactionHash(network: Network, random: Random): string {
  const format = formats.get(networkSpecs[network].family);
  const bytes = randomBytes(64, random);
  return format === undefined ? `0x${hex.encode(bytes.subarray(0, 32))}` : format(bytes);
}

/** Returns random bytes. The first is never 0, so that base58 has its full length. */
export function randomBytes(size: number, random: Random): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => (index === 0 ? 1 + random.below(255) : random.below(256)));
}
