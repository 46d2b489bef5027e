import { createHash, ECDH } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HDKey } from '@scure/bip32';

/** An address, and how the owner of the account's private key finds the key that moves the funds of this address. */
export interface DerivedAddress {
  /** With its checksum by case (EIP-55). */
  readonly address: string;
  /** The first four bytes of the hash of the account's public key, as wallets show it. */
  readonly fingerprint: string;
  /** The derivation path below the account. */
  readonly path: string;
}

/**
 * Derives the address of an operation from the account's extended public key and the operation's id alone: a repeat
 * gets the same address although nothing is stored, and the service holds no key that can move money.
 */
export function createDeriveAddress(accountKey: string): (operationId: string) => DerivedAddress {
  const account = HDKey.fromExtendedKey(accountKey);
  if (account.privateKey !== null) throw new Error(PRIVATE);
  const fingerprint = account.fingerprint.toString(16).padStart(8, '0');
  return (operationId) => {
    const indices = indicesOf(operationId);
    return { address: addressOf(account, indices), fingerprint, path: indices.join('/') };
  };
}

/** Returns two indices of 31 bits: unhardened, because only those can be derived from a public key. */
function indicesOf(operationId: string): readonly number[] {
  const digest = createHash('sha256').update(operationId).digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)].map((index) => index & 0x7fffffff);
}

function addressOf(account: HDKey, indices: readonly number[]): string {
  const { publicKey } = indices.reduce((key, index) => key.deriveChild(index), account);
  if (publicKey === null) throw new Error('A key of the account has no public half.');
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed');
  const hash = keccak_256(Buffer.from(point).subarray(1));
  return withChecksum(Buffer.from(hash.subarray(-20)).toString('hex'));
}

/** Applies EIP-55: a letter is a capital where the digit of the address's hash at its place is 8 or more. */
function withChecksum(address: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(address))).toString('hex');
  const cased = [...address].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

const PRIVATE =
  'accountKey is a private key: give the extended public key (xpub…), and treat the private one as leaked.';

/** The account as its owner knows it. */
export interface AccountSettings {
  /** `xpub…` of BIP-32, exported without any private key. */
  readonly accountKey: string;
  /** The depth of the account's path: 3 for `m/44'/60'/7'`. */
  readonly depth: number;
  /** The address of index 0/0, as the owner's own wallet shows it. */
  readonly firstAddress: string;
}

/**
 * Says in one sentence why the account must not be used; `undefined` when the key has the first address that the
 * owner's wallet shows. Money sent to addresses of any other key is lost.
 */
export function accountFault({ accountKey, depth, firstAddress }: AccountSettings): string | undefined {
  const account = accountOf(accountKey);
  if (account === undefined) return 'accountKey is no extended public key (xpub…), or has a typing error.';
  if (account.privateKey !== null) return PRIVATE;
  if (account.depth !== depth) return `accountKey is a key of depth ${account.depth}, and not of depth ${depth}.`;
  const first = addressOf(account, FIRST);
  return first.toLowerCase() === firstAddress.toLowerCase()
    ? undefined
    : `accountKey has ${first} at 0/0, and not ${firstAddress}: it is another account, or firstAddress is wrong.`;
}

const FIRST = [0, 0];

/** The address of index 0/0. */
export const firstAddressOf = (accountKey: string) => addressOf(HDKey.fromExtendedKey(accountKey), FIRST);

function accountOf(accountKey: string): HDKey | undefined {
  try {
    return HDKey.fromExtendedKey(accountKey);
  } catch {
    return undefined;
  }
}
