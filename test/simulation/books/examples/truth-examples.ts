import type { Receipt, TrueCall, TruePayment, TrueTransfer } from '../truth.ts';
import { START } from './history.ts';
import { CLIENT, HASH, ID, TRANSFER, USER } from './off-ramp-examples.ts';
import { PAYIN } from './pay-in-examples.ts';
import { URL } from './webhook-examples.ts';

/*
 * What the world says of the examples.
 */

/** Milliseconds since 1970, so many seconds after the start. */
export const time = (seconds: number) => START + seconds * 1000;

type Phase = readonly [seconds: number, state: 'UNCONFIRMED' | 'CONFIRMED' | 'FAILED' | 'HELD'];

/** The deposit of the off-ramp; it is there from the beginning when nothing else is said. */
export function transfer(
  phases: readonly Phase[] = [[5, 'CONFIRMED']],
  facts: Partial<TrueTransfer['facts']> = {},
): TrueTransfer {
  return {
    facts: {
      custodianTransferId: TRANSFER,
      network: 'POLYGON',
      txHash: HASH,
      toAddress: '0xDa',
      fromAddress: '0xSender',
      assetId: 'USDC_POLYGON',
      amount: '25.0',
      ...facts,
    },
    phases: phases.map(([seconds, state]) => ({ at: time(seconds), state, confirmations: 1000 })),
    notifiedAt: [],
  };
}

export function payment(status: 'PENDING' | 'COMPLETED' = 'COMPLETED', amount = '2000', currency = 'COP'): TruePayment {
  const phases = [{ at: time(1), status, amount, currency }];
  return { reference: PAYIN, payable: 1, isSilent: false, phases, notifiedAt: [] };
}

const CREATE = `/api/v1/admin/operation/${USER}/withdrawal`;

/** A creation that was answered, or another call. */
export function call(of: Partial<TrueCall> & { readonly status?: number; readonly answered?: object } = {}): TrueCall {
  const { status = 201, answered = { operation: { id: ID } }, ...given } = of;
  return {
    clientId: CLIENT,
    at: time(0),
    method: 'POST',
    path: CREATE,
    body: JSON.stringify({ externalReference: 'order 1' }),
    answer: { at: time(1), status, body: JSON.stringify(answered) },
    ...given,
  };
}

/** The hash of the off-ramp is submitted. */
export const report = call({ path: `${CREATE}/${ID}/hash`, status: 202, answered: { txHash: HASH } });

export function receipt(eventId: string, body: string, given: Partial<Receipt> = {}): Receipt {
  return { at: time(2), url: URL, eventId, body, status: 200, ...given };
}

export const endpoint = { url: URL, clientId: CLIENT, isHostile: false };
