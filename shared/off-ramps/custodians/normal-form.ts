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
 * A custodian may spell hashes in its own way; the service has one normal form, so that a declared hash equals the one
 * that funds the operation. The same id of two custodians is two transfers: inside the service, the id begins with the
 * name of its custodian. Whatever an adapter answers passes through here before anything is stored (decisions.md 12,
 * Boundary), because an item that cannot be read is a fault wherever it is met.
 */
function inNormalForm<Transfer extends NotifiedTransfer>(custodian: string, transfer: Transfer): Transfer | undefined {
  const txHash = normaliseTransactionHash(transfer.network, transfer.txHash);
  if (txHash === undefined) return undefined;
  return { ...transfer, custodianTransferId: withName(custodian, transfer.custodianTransferId), txHash };
}

const withName = (custodian: string, id: string) => `${custodian}:${id}`;

const identified = z.object({ custodianTransferId: custodianTransfer.shape.custodianTransferId });

/**
 * A transfer of an answer. One that cannot be read is still told from the others of its transaction by its id; those
 * without an id are one.
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

/** As much as can be read of one that cannot be. */
export interface UnreadableNotification extends Pick<UnreadableTransfer, 'unreadableFields'> {
  readonly custodianTransferId?: string;
}

/** What a notification is about. */
export type ReadNotified = NotifiedTransfer | UnreadableNotification;

export function readNotified(custodian: string, given: unknown): ReadNotified {
  const { data, error } = notifiedTransfer.safeParse(given);
  const normal = data && inNormalForm(custodian, data);
  if (normal !== undefined) return normal;
  const id = identified.safeParse(given).data?.custodianTransferId;
  const unreadableFields = data ? 'txHash' : fieldsOf(error).join(' ');
  return { unreadableFields, ...(id !== undefined && { custodianTransferId: withName(custodian, id) }) };
}

/** Names alone: what is in them may be anything. */
function fieldsOf(error: z.core.$ZodError | undefined): readonly string[] {
  const names = (error?.issues ?? []).map(({ path }) => String(path[0] ?? 'everything'));
  return [...new Set(names)];
}
