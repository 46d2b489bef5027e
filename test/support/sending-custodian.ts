import {
  type CustodianTransfer,
  CustodianUnavailable,
  type FindSending,
  type ReturnOrder,
  type Send,
  SendingRefused,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer, Sending } from '#shared/off-ramps/custodians/outgoing.ts';
import { OTHER_HASH } from './off-ramp.ts';

/** What the custodian does with an order: it ends it so, takes it and is not heard, or does not take it. */
type Answer = Sending['state'] | 'MAY_ARRIVE' | 'LOST' | 'REFUSED' | 'UNAVAILABLE';

/** A custodian that sends each order once, and says what it is told to. */
export function sendingCustodian(incoming: CustodianTransfer) {
  const orders = new Map<string, { readonly order: ReturnOrder; readonly answer: Answer }>();
  const told = {
    /** What it says of the deposit. */
    transfer: incoming as CustodianTransfer | undefined,
    /** What becomes of the next order. */
    answer: 'COMPLETED' as Answer,
    outgoing: [] as readonly OutgoingTransfer[],
    /** Its final chain has what was seen of it no more. */
    isGone: false,
  };

  const send: Send = async (order) => {
    if (told.answer === 'UNAVAILABLE') throw new CustodianUnavailable('It is down.');
    if (orders.has(order.externalId)) return;
    if (told.answer === 'REFUSED') throw new SendingRefused('The policy refuses it.');
    orders.set(order.externalId, { order, answer: told.answer });
    if (told.answer === 'LOST') throw new CustodianUnavailable('There was no answer.');
  };

  const findSending: FindSending = async ({ externalId }) => {
    const answer = orders.get(externalId)?.answer;
    const found = { txHash: OTHER_HASH, movementId: externalId };
    if (answer === undefined) return undefined;
    if (answer === 'MAY_ARRIVE') return { state: 'FAILED', ...found, mayStillArrive: true };
    return answer === 'PENDING' || answer === 'FAILED' ? { state: answer } : { state: 'COMPLETED', ...found };
  };

  return {
    told,
    orders,
    send,
    findSending,
    /** Another word about an order that it may never have had. */
    say(externalId: string, answer: Answer): void {
      const { order } = orders.get(externalId) ?? {};
      const unknown = {
        externalId,
        network: 'ETHEREUM',
        assetId: '',
        amount: '',
        from: '',
        to: { address: '' },
      } as const;
      orders.set(externalId, { order: order ?? unknown, answer });
    },
    /** The ids of orders that move money, or may. */
    moved: () => [...orders].filter(([, { answer }]) => answer !== 'FAILED').map(([externalId]) => externalId),
  };
}
