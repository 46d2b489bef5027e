import * as z from 'zod/mini';
import { normaliseTransactionHash, parseAddress } from '#shared/networks/network.ts';
import { readAmount } from '#shared/platform/amount.ts';
import {
  type CustodianTransfer,
  custodianTransfer,
  type FoundTransfer,
  type NotifiedTransfer,
  notified,
} from './custodian.ts';
import { type OutgoingTransfer, outgoingTransfer } from './outgoing.ts';

/**
 * Custodians spell hashes in different ways; the service has one normal form, so that a declared hash equals the one
 * that funds the operation. Two custodians may give two transfers the same id, so inside the service an id begins with
 * the custodian's name. Every answer of an adapter passes through here before it is stored (decisions.md 12, Boundary),
 * because an unreadable item would fail wherever it is read.
 */
export const prefixedId = (custodian: string, id: string) => `${custodian}:${id}`;

export function isIdOf(custodian: string, custodianTransferId: string): boolean {
  return custodianTransferId.startsWith(prefixedId(custodian, ''));
}

/** The id as its custodian gave it. */
export function unprefixedId(custodian: string, custodianTransferId: string): string {
  return custodianTransferId.slice(prefixedId(custodian, '').length);
}

const identified = z.object({ custodianTransferId: custodianTransfer.shape.custodianTransferId });

const dated = z.object({ createdAt: custodianTransfer.shape.createdAt });

/** A network name that is plain enough for a log line. */
const named = z.object({ network: z.string().check(z.regex(/^[\w.:-]{1,50}$/)) });

/** An unreadable transfer: the names of its unreadable fields, and its id if that is readable. */
export interface Unreadable {
  readonly custodianTransferId?: string;
  readonly unreadableFields: string;
  /** The name of the network, if that is the only unreadable field: the service does not know this network. */
  readonly unknownNetwork?: string;
  /** Its creation time, by which lists are ordered, if that is readable. */
  readonly createdAt?: string;
}

export type ReadTransfer = CustodianTransfer | Unreadable;

/** Reads a transfer from an adapter's answer. */
export function readTransfer(custodian: string, given: unknown): ReadTransfer {
  const { data, error } = custodianTransfer.safeParse(given);
  const txHash = data && normaliseTransactionHash(data.network, data.txHash);
  const amount = data && readAmount(data.amount);
  if (data !== undefined && txHash !== undefined && amount !== undefined) {
    return { ...data, custodianTransferId: prefixedId(custodian, data.custodianTransferId), txHash, amount };
  }
  return unreadable(custodian, given, [
    ...fieldsOf(error),
    ...(data && txHash === undefined ? ['txHash'] : []),
    ...(data && amount === undefined ? ['amount'] : []),
  ]);
}

/** An unreadable movement has its `movementId` in `custodianTransferId`. */
export type ReadOutgoing = OutgoingTransfer | Unreadable;

/**
 * Reads an outgoing transfer from an adapter's answer. `txHash` stays empty while the transfer has no hash. Addresses
 * get their normal form; the name of an account, which is not an address, stays as it is.
 */
export function readOutgoing(custodian: string, given: unknown): ReadOutgoing {
  const { data, error } = outgoingTransfer.safeParse(given);
  const failed = (...fields: readonly string[]) =>
    unreadable(custodian, { ...Object(given), custodianTransferId: Object(given).movementId }, fields);
  if (data === undefined) return failed(...fieldsOf(error));
  const { network, fee } = data;
  const txHash = data.txHash === '' ? '' : normaliseTransactionHash(network, data.txHash);
  const [amount, feeAmount] = [readAmount(data.amount), readAmount(fee?.amount ?? '0')];
  if (txHash === undefined || amount === undefined || feeAmount === undefined) {
    return failed(txHash === undefined ? 'txHash' : amount === undefined ? 'amount' : 'fee');
  }
  const to = parseAddress(network, data.toAddress);
  const toTag = data.toTag ?? to?.tag;
  return {
    ...data,
    movementId: prefixedId(custodian, data.movementId),
    txHash,
    amount,
    from: parseAddress(network, data.from)?.address ?? data.from,
    toAddress: to?.address ?? data.toAddress,
    ...(toTag !== undefined && { toTag }),
    ...(fee && { fee: { ...fee, amount: feeAmount } }),
  };
}

/**
 * Like `readTransfer`, for a transfer of a given transaction: one of another transaction is unreadable. The id
 * distinguishes an unreadable transfer from the others of its transaction; those without an id count as one.
 */
export function readTransferOf(
  { network, txHash }: Pick<NotifiedTransfer, 'network' | 'txHash'>,
  custodian: string,
  given: unknown,
): FoundTransfer {
  const read = readTransfer(custodian, given);
  if (!('unreadableFields' in read)) {
    if (read.network === network && read.txHash === txHash) return read;
    const { custodianTransferId } = read;
    return { custodianTransferId, network, txHash, state: 'UNREADABLE', unreadableFields: 'txHash' };
  }
  const custodianTransferId = prefixedId(custodian, `without-id:${network}:${txHash}`);
  const { unknownNetwork: _, createdAt: __, ...rest } = read;
  return { custodianTransferId, ...rest, network, txHash, state: 'UNREADABLE' };
}

/** What a notification names: a transfer with its transaction, a transaction, or a transfer by its id alone. */
export type ReadNotified =
  | NotifiedTransfer
  | (Pick<NotifiedTransfer, 'network' | 'txHash'> & { readonly custodianTransferId?: undefined })
  | (Pick<NotifiedTransfer, 'custodianTransferId'> & { readonly txHash?: undefined })
  | Unreadable;

export function readNotified(custodian: string, given: unknown): ReadNotified {
  const { data, error } = notified.safeParse(given);
  if (data === undefined) return unreadable(custodian, given, fieldsOf(error));
  const id = data.custodianTransferId;
  const custodianTransferId = id === undefined ? undefined : prefixedId(custodian, id);
  if (data.network !== undefined && data.txHash !== undefined) {
    const txHash = normaliseTransactionHash(data.network, data.txHash);
    if (txHash === undefined) return unreadable(custodian, given, ['txHash']);
    const { network } = data;
    return custodianTransferId === undefined ? { network, txHash } : { custodianTransferId, network, txHash };
  }
  if (custodianTransferId !== undefined) return { custodianTransferId };
  const needed = ['custodianTransferId', 'network', 'txHash'] as const;
  return unreadable(
    custodian,
    given,
    needed.filter((field) => data[field] === undefined),
  );
}

function unreadable(custodian: string, given: unknown, fields: readonly string[]): Unreadable {
  const id = identified.safeParse(given).data?.custodianTransferId;
  const unreadableFields = fields.join(' ');
  const unknownNetwork = unreadableFields === 'network' ? named.safeParse(given).data?.network : undefined;
  const createdAt = dated.safeParse(given).data?.createdAt;
  return {
    unreadableFields,
    ...(id !== undefined && { custodianTransferId: prefixedId(custodian, id) }),
    ...(unknownNetwork !== undefined && { unknownNetwork }),
    ...(createdAt !== undefined && { createdAt }),
  };
}

/** Returns only the names of the fields, because the values may be anything. */
function fieldsOf(error: z.core.$ZodError | undefined): readonly string[] {
  const names = (error?.issues ?? []).map(({ path }) => String(path[0] ?? 'everything'));
  return [...new Set(names)];
}
