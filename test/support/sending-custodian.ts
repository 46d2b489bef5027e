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

/** How the custodian treats an order: ends it in this state, accepts it without an answer, or does not accept it. */
type Answer = Sending['state'] | 'MAY_ARRIVE' | 'LOST' | 'REFUSED' | 'UNAVAILABLE';

/** A custodian that sends each order once; a test sets its answers in `told`. */
export function sendingCustodian(incoming: CustodianTransfer) {
  const orders = new Map<string, { readonly order: ReturnOrder; readonly answer: Answer }>();
  const told = {
    /** Its answer about the deposit. */
    transfer: incoming as CustodianTransfer | undefined,
    /** The result of the next order. */
    answer: 'COMPLETED' as Answer,
    outgoing: [] as readonly OutgoingTransfer[],
    /** True if the final chain no longer has a transfer that was seen. */
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
    /** Sets another answer about an order, even if the custodian never had it. */
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
