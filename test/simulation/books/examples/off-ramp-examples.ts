import { createHash } from 'node:crypto';
import { at, type History, type Leg, leg } from './history.ts';

/*
 * The life of an off-ramp as the service writes it, request by request.
 */

export const ID = '00000000-0000-4000-8000-00000000000a';
export const CLIENT = '00000000-0000-4000-8000-0000000000c1';
export const USER = '00000000-0000-4000-8000-0000000000f1';
export const HASH = `0x${'a'.repeat(64)}`;
export const TRANSFER = `${HASH}:0`;

export interface Whose {
  readonly id?: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly address?: string;
}

const operationKey = (operationId: string) => ({ operationId, record: 'OPERATION' });
export const claim = (kind: string, of: string): Record<string, string> => ({ claim: `${kind}#${of}` });

let events = 0;

/** An event in the outbox. */
export function eventLeg(
  type: string,
  data: Readonly<Record<string, unknown>>,
  seconds: number,
  clientId = CLIENT,
): Leg {
  events += 1;
  const body = JSON.stringify({ type, timestamp: at(seconds), data });
  const set = { clientId, type, occurredAt: at(seconds), body, unpublishedIn: 'EVENT#1' };
  return leg('events', { eventId: `evt_00000000-0000-4000-8000-${String(events).padStart(12, 'e')}` }, set);
}

const changeEvent =
  (type: string) =>
  (of: Whose, sequence: number, previousStatus: string | null, status: string, seconds = 0): Leg => {
    const { id: operationId = ID, userId = USER, clientId } = of;
    return eventLeg(type, { operationId, userId, status, previousStatus, sequence }, seconds, clientId);
  };

export const statusEvent = changeEvent('ramp.operation.status_changed');
const hashEvent = changeEvent('ramp.deposit_hash.status_changed');

export function creation(of: Whose = {}) {
  const { id = ID, clientId = CLIENT, userId = USER, address = `0xD${id.slice(-1)}` } = of;
  const operation = {
    clientId,
    userId,
    status: 'AWAITING_DEPOSIT',
    sequence: 1,
    network: 'POLYGON',
    custodianAssetId: 'USDC_POLYGON',
    address,
    amount: '25',
    senderAddress: '0xSender',
    originExternalWalletId: 'w1',
    externalReference: 'order 1',
    createdAt: at(0),
    ...{ expiresAt: at(86_400), endsAt: at(90_000) },
    attempt: 0,
    statusHistory: [{ status: 'AWAITING_DEPOSIT', at: at(0) }],
    awaitingShard: 'AWAITING#1',
  };
  return {
    operation: leg('operations', operationKey(id), operation),
    address: leg('hashes', claim('ADDRESS', address), { operationId: id, userId, clientId }),
    event: statusEvent(of, 1, null, 'AWAITING_DEPOSIT'),
  };
}

/** The first hash of an operation, or another one: `seen` is the sequence before. */
export function submission(of: Whose & { hash?: string; before?: string; attempt?: number; seen?: number } = {}) {
  const { id = ID, hash = HASH, before, attempt = 1, seen = 1 } = of;
  const verification = {
    attempt,
    run: 1,
    network: 'POLYGON',
    txHash: hash,
    windowStartsAt: at(1),
    windowEndsAt: at(86_400),
    nextCheckAt: at(1),
    dueShard: 'LOOK#1',
    reason: undefined,
  };
  return {
    operation: leg('operations', operationKey(id), { txHash: hash, attempt, sequence: seen + 1 }),
    declared: leg('hashes', claim('DECLARED', hash), { operationId: id }),
    released: before === undefined ? undefined : leg('hashes', claim('DECLARED', before), 'GONE'),
    verification: leg('operations', { operationId: id, record: 'VERIFICATION' }, verification),
    event: before === undefined ? hashEvent(of, seen + 1, 'NOT_SUBMITTED', 'VERIFYING') : undefined,
  };
}

/** The deposit of an operation that has declared its hash. */
export function confirmation(
  of: Whose & { hash?: string; transfer?: string; seen?: number; from?: string; seconds?: number } = {},
) {
  const { id = ID, hash = HASH, transfer = TRANSFER, seen = 2, from = 'VERIFYING', seconds = 60 } = of;
  const operation = {
    status: 'PENDING',
    verifiedTxHash: hash,
    sequence: seen + 1,
    creditedAt: at(seconds),
    ...{ awaitingShard: undefined, creditedShard: 'CREDITED#1', pendingShard: 'PENDING#1' },
    statusHistory: [
      { status: 'AWAITING_DEPOSIT', at: at(0) },
      { status: 'PENDING', at: at(seconds) },
    ],
  };
  const deposit = {
    creditedTo: id,
    creditedAt: at(seconds),
    network: 'POLYGON',
    txHash: hash,
    transfer: { custodianTransferId: transfer, state: 'CONFIRMED', txHash: hash },
    firstNotifiedAt: at(0),
    lastNotifiedAt: at(seconds),
    unmatched: undefined,
    unmatchedSince: undefined,
    ...{ operationId: id, userId: of.userId ?? USER, clientId: of.clientId ?? CLIENT, detectedAt: at(seconds) },
    sequence: 1,
    updatedAt: at(seconds),
  };
  const told = { operationId: id, userId: of.userId ?? USER, status: 'CREDITED', previousStatus: null, sequence: 1 };
  return {
    operation: leg('operations', operationKey(id), operation),
    funded: leg('hashes', claim('FUNDED', hash), { operationId: id }),
    deposit: leg('deposits', { custodianTransferId: transfer }, deposit),
    event: statusEvent(of, seen + 1, 'AWAITING_DEPOSIT', 'PENDING', seconds),
    hashEvent: hashEvent(of, seen + 1, from, 'VERIFIED', seconds),
    depositEvent: eventLeg('ramp.deposit.status_changed', { ...depositId(transfer), ...told }, seconds, of.clientId),
  };
}

/** The last poll of an attempt has found nothing. */
export function windowEnd(seen = 2, attempt = 1) {
  const data = { operationId: ID, userId: USER, attempt, txHash: HASH, reason: 'NOT_FOUND', windowEndsAt: at(86_400) };
  const statuses = { status: 'VERIFYING', previousStatus: 'VERIFYING', sequence: seen + 1 };
  return {
    operation: leg('operations', operationKey(ID), { sequence: seen + 1 }),
    verification: leg(
      'operations',
      { operationId: ID, record: 'VERIFICATION' },
      { nextCheckAt: undefined, dueShard: undefined, reason: 'NOT_FOUND' },
    ),
    event: eventLeg('ramp.deposit_hash.window_ended', { ...data, ...statuses }, 86_400),
  };
}

/** An operation that has declared its hash is cancelled by its client, or for another reason. */
export function cancellation(seen = 2, reason = 'CANCELLED_BY_CLIENT', seconds = 90) {
  const statusHistory = [
    { status: 'AWAITING_DEPOSIT', at: at(0) },
    { status: 'CANCELLED', at: at(seconds), reason },
  ];
  const set = { status: 'CANCELLED', sequence: seen + 1, statusHistory, awaitingShard: undefined };
  return {
    operation: leg('operations', operationKey(ID), set),
    released: leg('hashes', claim('DECLARED', HASH), 'GONE'),
    search: search(HASH, seconds),
    event: statusEvent({}, seen + 1, 'AWAITING_DEPOSIT', 'CANCELLED', seconds),
    hashEvent: hashEvent({}, seen + 1, 'VERIFYING', 'NOT_VERIFIED', seconds),
  };
}

export function search(hash = HASH, seconds = 90): Leg {
  const due = { nextPollAt: at(seconds), dueAt: at(seconds), dueShard: 'HASH#1', lastDueAt: at(seconds) };
  const window = {
    startsAt: at(seconds),
    endsAt: at(seconds + 86_400),
    expiresAt: Date.parse(at(seconds + 300_000)) / 1000,
  };
  const key = { custodianTransferId: `HASH#${CLIENT}#POLYGON#${hash}` };
  return leg('deposits', key, { network: 'POLYGON', txHash: hash, ...due, ...window });
}

/** The first digits of the id by which clients know a deposit. */
export const depositId = (transfer: string) => ({
  depositId: createHash('sha256').update(transfer).digest('hex').slice(0, 8),
});

/** The bus takes everything that waits for it. */
export function publishAll(history: History): void {
  for (const eventId of history.books.ledger.unpublished.keys()) {
    history.write({ event: leg('events', { eventId }, { unpublishedIn: undefined, expiresAt: 2_000_000_000 }) });
  }
}

/** An off-ramp that has its deposit. */
export function funded(history: History): void {
  history.write(creation());
  history.write(submission());
  history.wait(60);
  history.write(confirmation());
}
