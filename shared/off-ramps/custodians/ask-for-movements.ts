import * as z from 'zod/mini';
import { readAmount } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { CustodianUnavailable, type ListMovements, type OutgoingTransfer, outgoingTransfer } from './custodian.ts';
import { outlasting } from './find-transfers.ts';
import { type ReadTransfer, readTransfer, type Unreadable } from './normal-form.ts';

const page = z.object({
  incoming: z.array(z.unknown()),
  outgoing: z.array(z.unknown()),
  cursor: z.optional(z.string()),
  answer: z.string(),
});

const created = z.object({ createdAt: instant });

interface Placed<Read> {
  readonly read: Read;
  /** Milliseconds since 1970; `undefined` where it cannot be read. */
  readonly at: number | undefined;
}

export type Movement = Placed<ReadTransfer> & { readonly direction: 'in' };
export type OutgoingMovement = Placed<OutgoingTransfer | Unreadable> & { readonly direction: 'out' };

/**
 * Asks one custodian for a page of all its movements, as its other lists are asked for; what cannot be read hides
 * nothing beside it.
 *
 * @throws {CustodianUnavailable}
 */
export function createAskForMovements(
  { name, listMovements }: { readonly name: string; readonly listMovements: ListMovements },
  clock: Clock,
) {
  return async (query: Parameters<ListMovements>[0]) => {
    const { data } = page.safeParse(await outlasting(clock, () => listMovements(query)));
    if (data === undefined) throw new CustodianUnavailable("The custodian's answer is not a page of movements.");
    if (data.cursor !== undefined && data.cursor === query.cursor)
      throw new CustodianUnavailable('The list does not go on.');
    const incoming = data.incoming.map(
      (given): Movement => ({ direction: 'in', read: readTransfer(name, given), at: timeOf(given) }),
    );
    const outgoing = data.outgoing.map(
      (given): OutgoingMovement => ({ direction: 'out', read: readOutgoing(name, given), at: timeOf(given) }),
    );
    return { movements: [...incoming, ...outgoing], cursor: data.cursor, answer: data.answer };
  };
}

function timeOf(given: unknown): number | undefined {
  const { data } = created.safeParse(given);
  return data && Date.parse(data.createdAt);
}

/** Its id begins with the name of its custodian, like that of a transfer. */
function readOutgoing(custodian: string, given: unknown): OutgoingTransfer | Unreadable {
  const { data, error } = outgoingTransfer.safeParse(given);
  const amount = data && readAmount(data.amount);
  const fee = data?.fee && readAmount(data.fee.amount);
  if (data !== undefined && amount !== undefined && (data.fee === undefined || fee !== undefined)) {
    const withFee = data.fee !== undefined && fee !== undefined && { fee: { ...data.fee, amount: fee } };
    return { ...data, movementId: `${custodian}:${data.movementId}`, amount, ...withFee };
  }
  const named = z.object({ movementId: z.string() }).safeParse(given).data;
  const fields = new Set((error?.issues ?? []).map(({ path }) => String(path[0] ?? 'everything')));
  return {
    unreadableFields: [...fields].join(' ') || 'amount',
    ...(named && { custodianTransferId: `${custodian}:${named.movementId}` }),
  };
}
