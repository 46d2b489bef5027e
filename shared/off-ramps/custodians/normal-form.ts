import * as z from 'zod/mini';
import { normaliseTransactionHash } from '#shared/networks/addresses-and-hashes.ts';
import { readAmount } from '#shared/platform/amount.ts';
import {
  custodianTransfer,
  type FoundTransfer,
  type NotifiedTransfer,
  notifiedTransfer,
  type UnreadableTransfer,
} from './custodian.ts';

/**
 * Custodians spell hashes in different ways; the service has one normal form, so that a declared hash equals the one
 * that funds the operation. Equal ids of two custodians are two transfers, so inside the service an id begins with the
 * custodian's name. Every answer of an adapter passes through here before it is stored (decisions.md 12, Boundary),
 * because an unreadable item would fail wherever it is read.
 */
function inNormalForm<Transfer extends NotifiedTransfer>(custodian: string, transfer: Transfer): Transfer | undefined {
  const txHash = normaliseTransactionHash(transfer.network, transfer.txHash);
  if (txHash === undefined) return undefined;
  return { ...transfer, custodianTransferId: withName(custodian, transfer.custodianTransferId), txHash };
}

const withName = (custodian: string, id: string) => `${custodian}:${id}`;

const identified = z.object({ custodianTransferId: custodianTransfer.shape.custodianTransferId });

/**
 * A transfer of an answer. The id distinguishes an unreadable transfer from the others of its transaction; those
 * without an id count as one.
 */
export function readTransfer(
  custodian: string,
  given: unknown,
  asked: Pick<NotifiedTransfer, 'network' | 'txHash'>,
): FoundTransfer {
  const { data, error } = custodianTransfer.safeParse(given);
  const normal = data && inNormalForm(custodian, data);
  const amount = data && readAmount(data.amount);
  if (normal !== undefined && amount !== undefined) return { ...normal, amount };
  const { network, txHash } = asked;
  const id = identified.safeParse(given).data?.custodianTransferId ?? `without-id:${network}:${txHash}`;
  const unreadableFields = [
    ...fieldsOf(error),
    ...(data && normal === undefined ? ['txHash'] : []),
    ...(data && amount === undefined ? ['amount'] : []),
  ].join(' ');
  return { custodianTransferId: withName(custodian, id), network, txHash, state: 'UNREADABLE', unreadableFields };
}

/** The readable part of an unreadable notification. */
export interface UnreadableNotification extends Pick<UnreadableTransfer, 'unreadableFields'> {
  readonly custodianTransferId?: string;
}

/** The transfer of a notification. */
export type ReadNotified = NotifiedTransfer | UnreadableNotification;

export function readNotified(custodian: string, given: unknown): ReadNotified {
  const { data, error } = notifiedTransfer.safeParse(given);
  const normal = data && inNormalForm(custodian, data);
  if (normal !== undefined) return normal;
  const id = identified.safeParse(given).data?.custodianTransferId;
  const unreadableFields = data ? 'txHash' : fieldsOf(error).join(' ');
  return { unreadableFields, ...(id !== undefined && { custodianTransferId: withName(custodian, id) }) };
}

/** Only names, because the values may be anything. */
function fieldsOf(error: z.core.$ZodError | undefined): readonly string[] {
  const names = (error?.issues ?? []).map(({ path }) => String(path[0] ?? 'everything'));
  return [...new Set(names)];
}
