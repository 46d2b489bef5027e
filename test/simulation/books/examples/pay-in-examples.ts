import { at, leg } from './history.ts';
import { CLIENT, eventLeg, USER } from './off-ramp-examples.ts';

/*
 * The life of a pay-in as the service writes it, request by request.
 */

export const PAYIN = '00000000-0000-4000-8000-00000000000b';

const key = { payinId: PAYIN, record: 'PAYIN' };

export function payinCreation() {
  const payin = {
    clientId: CLIENT,
    userId: USER,
    status: 'CASHININIT',
    sequence: 1,
    currency: 'COP',
    amount: '2000',
    paymentMethod: 'PSE',
    externalReference: 'sale 1',
    createdAt: at(0),
    statusHistory: [{ status: 'CASHININIT', at: at(0) }],
    nextPollAt: at(60),
  };
  return { payin: leg('payins', key, payin), event: payinEvent(1, null, 'CASHININIT', 0) };
}

export function ordering(seen = 1) {
  return { payin: leg('payins', key, { orderingSince: at(1), sequence: seen + 1 }) };
}

export function link() {
  return { payin: leg('payins', key, { pseLink: 'https://rail.example/1' }) };
}

export function mismatch(seen = 2) {
  const settlementMismatch = { amount: '1', currency: 'COP', at: at(60) };
  const place = { mismatched: 'MISMATCHED', mismatchedAt: at(60) };
  return { payin: leg('payins', key, { settlementMismatch, ...place, sequence: seen + 1 }) };
}

export function settlement(status = 'COMPLETED', seen = 2) {
  const statusHistory = [
    { status: 'CASHININIT', at: at(0) },
    { status, at: at(60) },
  ];
  const completedShard = status === 'COMPLETED' ? 'COMPLETED#1' : undefined;
  return {
    payin: leg('payins', key, { status, sequence: seen + 1, statusHistory, nextPollAt: at(7200), completedShard }),
    event: payinEvent(seen + 1, 'CASHININIT', status, 60),
  };
}

/** Of one that is completed: all of it was taken back then, or is there again. */
export function money(seen: number, reversedAt: string | null) {
  const [status, previousStatus, sequence] = ['COMPLETED', 'COMPLETED', seen + 1];
  const remainingAmount = reversedAt === null ? 2000 : 0;
  const data = { payinId: PAYIN, userId: USER, status, previousStatus, sequence, reversedAt, remainingAmount };
  const since = reversedAt ?? undefined;
  return {
    payin: leg('payins', key, { reversedAt: since, mismatchedAt: since, mismatched: since && 'MISMATCHED', sequence }),
    event: eventLeg('ramp.payin.reversed', data, 120),
  };
}

function payinEvent(sequence: number, previousStatus: string | null, status: string, seconds: number) {
  return eventLeg(
    'ramp.payin.status_changed',
    { payinId: PAYIN, userId: USER, status, previousStatus, sequence },
    seconds,
  );
}
