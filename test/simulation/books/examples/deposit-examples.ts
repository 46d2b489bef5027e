import { at, type Leg, leg } from './history.ts';
import { CLIENT, depositId, eventLeg, HASH, ID, TRANSFER, USER } from './off-ramp-examples.ts';

/*
 * What is notified and seen of deposits.
 */

/** A transfer that was notified. */
export function notification(transfer = TRANSFER, hash = HASH): Leg {
  const set = { network: 'POLYGON', txHash: hash, firstNotifiedAt: at(0), lastNotifiedAt: at(10) };
  const due = { nextPollAt: at(10), dueAt: at(310), dueShard: 'DEPOSIT#1' };
  return leg('deposits', { custodianTransferId: transfer }, { ...set, ...due });
}

/** A transfer to the address of the operation that is seen for the first time: on its way, or as it is said. */
export function detection(state = 'UNCONFIRMED', status = 'DETECTED', set: Readonly<Record<string, unknown>> = {}) {
  const owner = { operationId: ID, userId: USER, clientId: CLIENT, detectedAt: at(10) };
  const seen = { transfer: { custodianTransferId: TRANSFER, state, txHash: HASH }, sequence: 1, updatedAt: at(10) };
  const told = { operationId: ID, userId: USER, status, previousStatus: null, sequence: 1 };
  const { table, key, set: notified } = notification();
  return {
    deposit: leg(table, key, { ...(notified === 'GONE' ? {} : notified), ...owner, ...seen, ...set }),
    event: eventLeg('ramp.deposit.status_changed', { ...depositId(TRANSFER), ...told }, 10),
  };
}

/** Its next status. */
export function deposited(
  status: string,
  previousStatus: string,
  sequence: number,
  set: Readonly<Record<string, unknown>>,
) {
  const told = { operationId: ID, userId: USER, status, previousStatus, sequence };
  return {
    deposit: leg('deposits', { custodianTransferId: TRANSFER }, { ...set, sequence }),
    event: eventLeg('ramp.deposit.status_changed', { ...depositId(TRANSFER), ...told }, 20),
  };
}

/** What the operation awaits is seen for the first time, and is on its way. */
export function arrival() {
  return detection('UNCONFIRMED', 'DETECTED', { transfer: seen(), arrivingAt: 'one key' });
}

/** What the operation awaits, as it is seen. */
export function seen(state = 'UNCONFIRMED') {
  const facts = { network: 'POLYGON', assetId: 'USDC_POLYGON', amount: '25.0', fromAddress: '0xSender' };
  return { ...facts, custodianTransferId: TRANSFER, txHash: HASH, state, toAddress: `0xD${ID.slice(-1)}` };
}

/** A poll that plans no other. */
export const noPoll = { nextPollAt: undefined, dueAt: undefined, dueShard: undefined };
