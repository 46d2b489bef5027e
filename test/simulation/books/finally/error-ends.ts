import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { CUSTODIAN } from '#test/simulation/world/providers/custodian.ts';
import { has, maybeText, text } from '../items.ts';
import type { TrueError, TrueSending, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

type IsExplained = (id: string, aftermath: Aftermath, fields: TrueError['fields']) => boolean;

/** What calls somebody although nothing fails, the field that says what it is about, and what has to be so. */
const explained: Readonly<Record<string, readonly [id: string, IsExplained]>> = {
  DEPOSIT_UNMATCHED: ['custodianTransferId', (id, { ledger }) => ledger.filed.has(id)],
  DEPOSIT_NEVER_CONFIRMED: ['custodianTransferId', isNotFinal],
  DEPOSIT_FUNDS_ANOTHER_CLIENT: ['custodianTransferId', fundsAnotherClients],
  DEPOSIT_OWED: ['operationId', isOwed],
  CREDITED_DEPOSIT_REVERSED: ['custodianTransferId', isTakenBack],
  CREDITED_DEPOSIT_CONFIRMED_AGAIN: ['custodianTransferId', isTakenBack],
  RETURN_MAY_STILL_ARRIVE: [
    'custodianTransferId',
    isSentAnd((phases) => phases.some((one) => one.mayStillArrive === true)),
  ],
  RETURN_NOT_SENT: ['custodianTransferId', isSentAnd(hasFailed)],
  RETURN_STOPPED: ['custodianTransferId', isSentAnd(hasFailed)],
  RETURN_UNDONE: ['custodianTransferId', isSentAnd(isUndone)],
  RETURN_CONTRADICTED: ['operationId', isTold],
  RETURNED_DEPOSIT_TAKEN_BACK: ['custodianTransferId', isTakenBack],
  PAYIN_SETTLEMENT_MISMATCH: ['payinId', isPaidOtherwise],
  PAYIN_LEFT_OPEN: ['payinId', (id, aftermath) => isPaidOtherwise(id, aftermath) || isUndecided(id, aftermath)],
  COMPLETED_PAYIN_REVERSED: ['payinId', isPaidAndMore],
  REVERSED_PAYIN_PAID_AGAIN: ['payinId', isPaidAndMore],
  REFUNDED_PAYIN_COMPLETED: ['payinId', isPaidOtherwise],
  ENDED_MISMATCH_TAKEN_BACK: ['payinId', isPaidOtherwise],
  // What the book of deposits names is held against the world where that ends.
  BOOKS_DO_NOT_BALANCE: [
    'id',
    (id, aftermath, { book }) =>
      // What had moved on a day that was closed.
      book === `deposits of ${CUSTODIAN}` || id === 'COP' || isPaidOtherwise(id, aftermath),
  ],
  MONEY_WENT_OUT: ['movementId', isNotRecorded],
  STATUS_CHANGE_REFUSED: ['operationId', isTold],
  STATUS_CHANGE_CONTRADICTED: ['operationId', isTold],
  EVENT_NOT_OURS: ['source', (source, { truth }) => truth.notices.some((told) => told.source === source)],
};

/** While nothing fails, nobody is called but for what people did wrong. */
export function checkErrorEnds(aftermath: Aftermath): void {
  if (!aftermath.truth.isQuiet) return;
  for (const { code, fields } of aftermath.truth.errors) {
    const [name = '', isExplained] = explained[code] ?? [];
    const id = String(fields[name] ?? fields['clientId']);
    const holds = isExplained?.(id, aftermath, fields) === true;
    must('a quiet round calls nobody for nothing', holds, { code, ...fields });
  }
  checkCalls(aftermath);
}

/**
 * Money that nobody awaits calls somebody, once. Two polls that decide the same in one millisecond cannot tell whose write it
 * was: an answer may have been lost, so both call.
 */
function checkCalls({ ledger, truth }: Aftermath): void {
  const called = Map.groupBy(truth.errors.filter(isUnmatched), ({ fields }) => String(fields['custodianTransferId']));
  for (const [id, times] of ledger.filed) {
    const calls = new Set(called.get(id)?.map(({ at }) => at)).size;
    must('money that nobody awaits calls somebody once', calls === times, { id, calls, times });
  }
}

const isUnmatched = ({ code }: TrueError) => code === 'DEPOSIT_UNMATCHED';

function transferOf(id: string, { truth }: Aftermath): TrueTransfer | undefined {
  return truth.transfers.find(({ facts }) => facts.custodianTransferId === id);
}

/** The deposit's transaction funds, or its tag names, an off-ramp of another client than the one that somebody was called for. */
function fundsAnotherClients(id: string, aftermath: Aftermath, fields: TrueError['fields']): boolean {
  const { claims, deposits, owners } = aftermath.ledger;
  const funded = claims.get(`FUNDED#${transferOf(id, aftermath)?.facts.txHash}`) ?? deposits.get(id);
  const other = maybeText(funded, 'operationId');
  return other !== undefined && owners.get(other) !== owners.get(String(fields['operationId']));
}

type Phases = TrueSending['phases'];

/** Whether that is so of what was sent for a deposit. */
function isSentAnd(holds: (phases: Phases) => boolean): IsExplained {
  return (id, { truth }) =>
    truth.sendings.some(({ depositId, phases }) => depositId === depositIdOf(id) && holds(phases));
}

/** It is no return of what was ordered, or its custodian said that it would not arrive. */
function isNotRecorded(id: string, { truth }: Aftermath): boolean {
  const sent = truth.sendings.find(({ movementId }) => `${CUSTODIAN}:${movementId}` === id);
  if (sent === undefined) return false;
  return sent.externalId === undefined || hasFailed(sent.phases) || isUndone(sent.phases);
}

function hasFailed(phases: Phases): boolean {
  return phases.some(({ state }) => state === 'FAILED');
}

function isUndone(phases: Phases): boolean {
  const first = phases.findIndex(({ state }) => state === 'COMPLETED');
  return first !== -1 && phases.slice(first).some(({ state }) => state !== 'COMPLETED');
}

function isOwed(id: string, { ledger }: Aftermath): boolean {
  const operation = ledger.operations.get(id);
  return has(operation, 'verifiedTxHash') && ['CANCELLED', 'FAILED'].includes(text(operation, 'status'));
}

function isNotFinal(id: string, aftermath: Aftermath): boolean {
  return transferOf(id, aftermath)?.phases.at(-1)?.state !== 'CONFIRMED';
}

function isTakenBack(id: string, aftermath: Aftermath): boolean {
  const phases = transferOf(id, aftermath)?.phases ?? [];
  const first = phases.findIndex(({ state }) => state === 'CONFIRMED');
  return first !== -1 && phases.slice(first).some(({ state }) => state !== 'CONFIRMED');
}

function isPaidOtherwise(id: string, { ledger, truth }: Aftermath): boolean {
  const payment = truth.payments.find(({ reference }) => reference === id);
  const amount = text(ledger.payins.get(id), 'amount');
  return payment?.phases.some((phase) => phase.amount !== amount || phase.currency !== 'COP') === true;
}

/** The rail says neither that it was paid nor that it will not be. */
function isUndecided(id: string, { truth }: Aftermath): boolean {
  return truth.payments.find(({ reference }) => reference === id)?.phases.at(-1)?.status === 'PENDING';
}

/** Something happened to the payment after it was completed. */
function isPaidAndMore(id: string, { truth }: Aftermath): boolean {
  const payment = truth.payments.find(({ reference }) => reference === id);
  return payment?.phases.slice(0, -1).some(({ status }) => status === 'COMPLETED') === true;
}

/** Another service says something of an operation or a client. */
function isTold(id: string, { truth }: Aftermath): boolean {
  return truth.notices.some(({ detail }) => detail['operationId'] === id || detail['clientId'] === id);
}
