import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { textIn } from '../bodies.ts';
import { fits, isThere, phaseAt, STALE } from '../fits.ts';
import { instant, maybeText, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import type { TrueCall, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Milliseconds for which an answer is replayed under its key. */
const REPLAYED = 24 * 3600 * 1000;

const OPERATION = /^\/api\/v1\/admin\/operation\/([^/]+)\/withdrawal$/;
const PAYIN = /^\/api\/v1\/admin\/fiats\/([^/]+)\/payin$/;
const OF_OPERATION = /^\/api\/v1\/admin\/operation\/[^/]+\/withdrawal\/([^/]+)\/(hash|cancel)$/;

/** Checks that clients' answers are still true at the end. */
export function checkAnswerEnds(aftermath: Aftermath): void {
  const { truth, ledger } = aftermath;
  const creations = truth.calls.filter((call) => tableOf(call, ledger) !== undefined);
  for (const call of creations) checkCreated(call, ledger);
  for (const calls of Map.groupBy(creations, scopeOf).values()) checkKeys(calls);
  for (const calls of Map.groupBy(creations, orderOf).values()) checkOrder(calls, ledger);
  for (const call of truth.calls) {
    checkOfOperation(call, ledger);
    checkCancellation(call, aftermath);
    checkRefusal(call, aftermath);
  }
}

/** Returns the items among which a call's creation is found. */
function tableOf({ method, path }: TrueCall, ledger: Ledger): ReadonlyMap<string, Item> | undefined {
  if (method !== 'POST') return undefined;
  return OPERATION.test(path) ? ledger.operations : PAYIN.test(path) ? ledger.payins : undefined;
}

function idIn({ answer }: TrueCall): string | undefined {
  if (answer?.status !== 201) return undefined;
  return textIn(answer.body, 'operation', 'id') ?? textIn(answer.body, 'id');
}

function checkCreated(call: TrueCall, ledger: Ledger): void {
  const id = idIn(call);
  if (id === undefined) return;
  const made = tableOf(call, ledger)?.get(id);
  const isOwn = text(made, 'clientId') === call.clientId && call.path.includes(text(made, 'userId'));
  must('what a client was told exists is there, and its own', isOwn, { id, clientId: call.clientId });
}

const scopeOf = ({ clientId, path, idempotencyKey, at }: TrueCall) =>
  idempotencyKey === undefined ? `${clientId} ${path} at ${at}` : `${clientId} ${path} ${idempotencyKey}`;

function checkKeys(calls: readonly TrueCall[]): void {
  const [first] = calls;
  if (first?.idempotencyKey === undefined) return;
  const inTime = calls.filter(({ at }) => at < first.at + REPLAYED);
  const ids = new Set(inTime.map(idIn).filter((id) => id !== undefined));
  must('one key is one thing, however often it is asked for', ids.size <= 1, {
    key: first.idempotencyKey,
    ids: [...ids],
  });
}

/** Groups calls for the same user with the same client reference. */
function orderOf({ clientId, path, body }: TrueCall): string {
  return `${clientId} ${path} ${textIn(body, 'externalReference')}`;
}

/** At most one item is made per key, and one per call without a key. */
function checkOrder(calls: readonly TrueCall[], ledger: Ledger): void {
  const [first] = calls;
  const externalReference = textIn(first?.body, 'externalReference');
  if (first === undefined || externalReference === undefined) return;
  const userId = (OPERATION.exec(first.path) ?? PAYIN.exec(first.path))?.[1];
  const items = [...(tableOf(first, ledger)?.values() ?? [])];
  const made = items.filter(
    (item) => text(item, 'userId') === userId && maybeText(item, 'externalReference') === externalReference,
  ).length;
  const late = calls.filter((call) => call.at >= first.at + REPLAYED).length;
  const asked = new Set(calls.map((call, position) => call.idempotencyKey ?? position)).size + late;
  must('nothing is made more often than it was asked for', made <= asked, { externalReference, userId, made, asked });
  const isRefused = calls.every(({ answer }) => answer !== undefined && isRefusal(answer));
  must('what was refused is not made', !isRefused || made === 0, { externalReference, userId, made });
}

/** True if the call was refused for good; IDEMPOTENCY_IN_PROGRESS leaves open what the other request creates. */
function isRefusal({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return status >= 400 && status < 500 && !body.includes('IDEMPOTENCY_IN_PROGRESS');
}

function checkOfOperation({ method, path, answer }: TrueCall, { operations, hashes }: Ledger): void {
  const [, id = '', what] = OF_OPERATION.exec(path) ?? [];
  if (method !== 'POST' || answer === undefined) return;
  if (what === 'hash' && answer.status === 202) {
    const txHash = textIn(answer.body, 'txHash') ?? '';
    must('a hash that was accepted is declared', hashes.get(id)?.has(txHash) === true, { id, txHash });
  }
  if (what === 'cancel' && answer.status === 200) {
    const status = text(operations.get(id), 'status');
    must('what was cancelled stays cancelled', status === 'CANCELLED', { id, status });
  }
}

/** A client that has reported the hash cannot cancel while the custodian has the deposit: the call asks for it. */
function checkCancellation({ at, path, answer }: TrueCall, { ledger, truth, skew }: Aftermath): void {
  const [, id = '', what] = OF_OPERATION.exec(path) ?? [];
  const operation = ledger.operations.get(id);
  if (what !== 'cancel' || answer?.status !== 200 || operation === undefined) return;
  const isReported = instant(ledger.verifications.get(id), 'windowStartsAt') + skew < at;
  const deposit = truth.transfers.find(
    (transfer) =>
      transfer.facts.txHash === text(operation, 'txHash') &&
      fits(operation, transfer.facts) &&
      isThere(transfer, at - STALE, answer.at),
  );
  // Of a transaction with two transfers, one funds an operation and the other is left to people.
  const funded = ledger.operations.get(text(ledger.claims.get(`FUNDED#${text(operation, 'txHash')}`), 'operationId'));
  const isOthers = funded !== undefined && funded !== operation && instant(funded, 'creditedAt') <= answer.at;
  must('nothing is cancelled whose reported deposit is on its way', !isReported || deposit === undefined || isOthers, {
    id,
    custodianTransferId: deposit?.facts.custodianTransferId,
  });
}

/** A cancellation is refused only for an expected deposit that the custodian has seen. */
function checkRefusal({ at, path, answer }: TrueCall, { ledger, truth, skew }: Aftermath): void {
  const [, id = ''] = OF_OPERATION.exec(path) ?? [];
  const operation = ledger.operations.get(id);
  if (textIn(answer?.body, 'code') !== 'DEPOSIT_IN_PROGRESS' || operation === undefined || answer === undefined) return;
  const from = truth.isQuiet ? at - skew : at - LATE;
  const isOnItsWay = truth.transfers.some(
    (transfer) =>
      (fits(operation, transfer.facts) && isKnown(transfer, from, answer.at + skew)) ||
      // A declared transaction that is in no block yet may turn out to be the deposit.
      (ledger.hashes.get(id)?.has(transfer.facts.txHash) === true && isUnconfirmed(transfer, from, answer.at + skew)),
  );
  must('a cancellation is refused only for a deposit that is on its way', isOnItsWay, { id });
}

/** True if the custodian knew the transfer at any time in the interval, in another state than FAILED. */
function isKnown(transfer: TrueTransfer, from: number, until: number): boolean {
  return phasesIn(transfer, from, until).some(({ state }) => state !== 'FAILED');
}

function isUnconfirmed(transfer: TrueTransfer, from: number, until: number): boolean {
  return phasesIn(transfer, from, until).some(({ state }) => state === 'UNCONFIRMED');
}

function phasesIn(transfer: TrueTransfer, from: number, until: number): TrueTransfer['phases'] {
  const first = phaseAt(transfer, from);
  return [...(first === undefined ? [] : [first]), ...transfer.phases.filter(({ at }) => at > from && at <= until)];
}
