import { createHash } from 'node:crypto';
import { base32nopad, base58, createBase58check, hex } from '@scure/base';
import { familyOf, type Network } from './network.ts';

/** An account on a network, with the memo or tag that tells deposits of one account apart where the network has one. */
export interface AccountAddress {
  readonly address: string;
  readonly tag?: string;
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const TRON_HEXADECIMAL_ADDRESS = /^41[0-9a-f]{40}$/i;
const SUI_ADDRESS = /^0x[0-9a-f]{1,64}$/i;
const STELLAR_ACCOUNT_VERSION = 6 << 3;
const STELLAR_MUXED_VERSION = 12 << 3;

const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);

/**
 * The normal form of an address, in which two spellings of one account are equal: EVM and SUI in lower case (SUI padded
 * to 32 bytes), TRON as base58check even when given as hexadecimal, a muxed Stellar account split into account and tag.
 * `undefined` when the text is no address of the network.
 *
 * Sources: EIP-55, TRON base58check with prefix 0x41, Stellar SEP-23 (StrKey), Solana and SUI 32-byte account keys.
 */
export function parseAddress(network: Network, text: string): AccountAddress | undefined {
  if (text.length > 128) return undefined;
  switch (familyOf(network)) {
    case 'EVM':
      return EVM_ADDRESS.test(text) ? { address: text.toLowerCase() } : undefined;
    case 'SUI':
      return SUI_ADDRESS.test(text) ? { address: `0x${text.slice(2).toLowerCase().padStart(64, '0')}` } : undefined;
    case 'TRON':
      return parseTron(text);
    case 'STELLAR':
      return parseStellar(text);
    case 'SOLANA':
      return decoded(() => base58.decode(text))?.length === 32 ? { address: text } : undefined;
  }
}

/** Whether two spellings name the same account. Texts that are no addresses are equal to nothing. */
export function isSameAddress(network: Network, one: string, other: string): boolean {
  const [first, second] = [parseAddress(network, one), parseAddress(network, other)];
  return first !== undefined && first.address === second?.address;
}

function parseTron(text: string): AccountAddress | undefined {
  if (TRON_HEXADECIMAL_ADDRESS.test(text)) return { address: base58check.encode(hex.decode(text.toLowerCase())) };
  const payload = decoded(() => base58check.decode(text));
  return payload?.length === 21 && payload[0] === 0x41 ? { address: text } : undefined;
}

function parseStellar(text: string): AccountAddress | undefined {
  const bytes = decoded(() => base32nopad.decode(text));
  if (bytes === undefined || !hasStellarChecksum(bytes)) return undefined;
  if (bytes[0] === STELLAR_ACCOUNT_VERSION && bytes.length === 35) return { address: text };
  if (bytes[0] !== STELLAR_MUXED_VERSION || bytes.length !== 43) return undefined;
  const account = new Uint8Array(33);
  account[0] = STELLAR_ACCOUNT_VERSION;
  account.set(bytes.subarray(1, 33), 1);
  const id = Buffer.from(bytes.subarray(33, 41)).readBigUInt64BE();
  return { address: encodeStellarAccount(account), tag: id.toString() };
}

function encodeStellarAccount(versionAndKey: Uint8Array): string {
  const checksum = crc16(versionAndKey);
  return base32nopad.encode(Uint8Array.from([...versionAndKey, checksum & 0xff, checksum >> 8]));
}

function hasStellarChecksum(bytes: Uint8Array): boolean {
  const checksum = crc16(bytes.subarray(0, -2));
  return bytes.at(-2) === (checksum & 0xff) && bytes.at(-1) === checksum >> 8;
}

/** CRC16-XMODEM, the checksum of SEP-23. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

function decoded(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** The address of an account with this 32-byte key, in the network's own form. */
export function formatAddress(network: Network, key: Uint8Array): string {
  switch (familyOf(network)) {
    case 'EVM':
      return `0x${hex.encode(key.subarray(0, 20))}`;
    case 'TRON':
      return base58check.encode(Uint8Array.from([0x41, ...key.subarray(0, 20)]));
    case 'STELLAR':
      return encodeStellarAccount(Uint8Array.from([STELLAR_ACCOUNT_VERSION, ...key]));
    case 'SOLANA':
      return base58.encode(key);
    case 'SUI':
      return `0x${hex.encode(key)}`;
  }
}
