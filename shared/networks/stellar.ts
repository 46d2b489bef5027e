import { base32nopad } from '@scure/base';
import type { AccountAddress, NetworkFamily } from './network-family.ts';
import { decoded, hexadecimalHash } from './network-family.ts';

const ACCOUNT_VERSION = 6 << 3;
const MUXED_VERSION = 12 << 3;

/** Addresses are those of SEP-23 (StrKey). A muxed one is split into its account and its id, which is the tag. */
export const stellar: NetworkFamily = {
  hasTags: true,
  hasChecksumCase: false,
  ...hexadecimalHash,
  parseAddress(text) {
    const bytes = decoded(() => base32nopad.decode(text));
    if (bytes === undefined || !hasChecksum(bytes)) return undefined;
    if (bytes[0] === ACCOUNT_VERSION && bytes.length === 35) return { address: text };
    return bytes[0] === MUXED_VERSION && bytes.length === 43 ? accountAndTag(bytes) : undefined;
  },
  formatAddress: (key) => encode(Uint8Array.from([ACCOUNT_VERSION, ...key])),
};

function accountAndTag(muxed: Uint8Array): AccountAddress {
  const account = new Uint8Array(33);
  account[0] = ACCOUNT_VERSION;
  account.set(muxed.subarray(1, 33), 1);
  const id = Buffer.from(muxed.subarray(33, 41)).readBigUInt64BE();
  return { address: encode(account), tag: id.toString() };
}

function encode(versionAndKey: Uint8Array): string {
  const checksum = crc16(versionAndKey);
  return base32nopad.encode(Uint8Array.from([...versionAndKey, checksum & 0xff, checksum >> 8]));
}

function hasChecksum(bytes: Uint8Array): boolean {
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
