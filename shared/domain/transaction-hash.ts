import { base58 } from '@scure/base';
import { familyOf, type Network } from './network.ts';

const EVM_HASH = /^0x[0-9a-fA-F]{64}$/;
const HEXADECIMAL_HASH = /^[0-9a-f]{64}$/i;

/** What a client is told when its hash does not fit the network (interface 4.3). */
export function transactionHashFormat(network: Network): string {
  switch (familyOf(network)) {
    case 'EVM':
      return '0x followed by 64 hexadecimal characters';
    case 'TRON':
    case 'STELLAR':
      return '64 hexadecimal characters, without 0x';
    case 'SOLANA':
      return 'base58 of 64 bytes';
    case 'SUI':
      return 'base58 of 32 bytes';
  }
}

/**
 * The one form in which a hash is stored, compared and claimed: trimmed; hexadecimal in lower case; base58 as it came,
 * because there the case carries data. `undefined` when the text is no transaction hash of the network.
 *
 * Source: interface 4.3; lengths of base58 forms from the networks' own validators (64 to 88 and 32 to 44 characters).
 */
export function normaliseTransactionHash(network: Network, text: string): string | undefined {
  const hash = text.trim();
  switch (familyOf(network)) {
    case 'EVM':
      return EVM_HASH.test(hash) ? hash.toLowerCase() : undefined;
    case 'TRON':
    case 'STELLAR':
      return HEXADECIMAL_HASH.test(hash) ? hash.toLowerCase() : undefined;
    case 'SOLANA':
      return decodesTo(64, hash, 88) ? hash : undefined;
    case 'SUI':
      return decodesTo(32, hash, 44) ? hash : undefined;
  }
}

/** The length is bounded first: decoding base58 takes time that grows with its square. */
function decodesTo(bytes: number, text: string, longest: number): boolean {
  if (text.length < bytes || text.length > longest) return false;
  try {
    return base58.decode(text).length === bytes;
  } catch {
    return false;
  }
}
