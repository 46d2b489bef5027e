import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { CUSTODIAN } from '#test/simulation/world/providers/custodian.ts';
import { has, maybeText, text } from '../items.ts';
import type { TrueError, TrueSending, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

type IsExplained = (id: string, aftermath: Aftermath, fields: TrueError['fields']) => boolean;

/** Errors that are logged even when nothing fails: the field with the id, and the condition that explains the error. */
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
  REFERENCE_USED_TWICE: ['payinId', isPaidTwice],
  PAYIN_LEFT_OPEN: ['payinId', (id, aftermath) => isPaidOtherwise(id, aftermath) || isUndecided(id, aftermath)],
  COMPLETED_PAYIN_REVERSED: ['payinId', isPaidAndMore],
  REVERSED_PAYIN_PAID_AGAIN: ['payinId', isPaidAndMore],
  REFUNDED_PAYIN_COMPLETED: ['payinId', isPaidOtherwise],
  ENDED_MISMATCH_TAKEN_BACK: ['payinId', isPaidOtherwise],
  // Differences of the deposits book are checked where that book ends.
  BOOKS_DO_NOT_BALANCE: [
    'id',
    (id, aftermath, { book }) =>
      // CHANGED_AFTER_CLOSING: a movement on a day that was closed.
      book === `deposits of ${CUSTODIAN}` || id === 'COP' || isPaidOtherwise(id, aftermath),
  ],
  MONEY_WENT_OUT: ['movementId', isNotRecorded],
  STATUS_CHANGE_REFUSED: ['operationId', isTold],
  STATUS_CHANGE_CONTRADICTED: ['operationId', isTold],
  EVENT_NOT_OURS: ['source', (source, { truth }) => truth.notices.some((told) => told.source === source)],
};

/** While nothing fails, every logged error must have an explanation. */
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
 * An unexpected deposit is logged once. Two polls that decide the same in one millisecond cannot tell whose write
 * succeeded, because an answer may have been lost, so both log it.
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

/** The deposit's transaction funds, or its tag names, an off-ramp of another client than the logged off-ramp's. */
function fundsAnotherClients(id: string, aftermath: Aftermath, fields: TrueError['fields']): boolean {
  const { claims, deposits, owners } = aftermath.ledger;
  const funded = claims.get(`FUNDED#${transferOf(id, aftermath)?.facts.txHash}`) ?? deposits.get(id);
  const other = maybeText(funded, 'operationId');
  return other !== undefined && owners.get(other) !== owners.get(String(fields['operationId']));
}

type Phases = TrueSending['phases'];

/** True if the condition holds of a sending for the deposit. */
function isSentAnd(holds: (phases: Phases) => boolean): IsExplained {
  return (id, { truth }) =>
    truth.sendings.some(({ depositId, phases }) => depositId === depositIdOf(id) && holds(phases));
}

/** True if the movement is no ordered return, or the custodian reported that it failed or was undone. */
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
  const isOther = payment?.phases.some((phase) => phase.amount !== amount || phase.currency !== 'COP') === true;
  return isOther || isPaidTwice(id, { truth });
}

function isPaidTwice(id: string, { truth }: Pick<Aftermath, 'truth'>): boolean {
  return truth.payments.filter(({ reference }) => reference === id).length > 1;
}

/** True if the rail reports the payment neither as paid nor as failed. */
function isUndecided(id: string, { truth }: Aftermath): boolean {
  return truth.payments.find(({ reference }) => reference === id)?.phases.at(-1)?.status === 'PENDING';
}

/** True if the payment changed after it was completed. */
function isPaidAndMore(id: string, { truth }: Aftermath): boolean {
  const payments = truth.payments.filter(({ reference }) => reference === id);
  return payments.some(({ phases }) => phases.slice(0, -1).some(({ status }) => status === 'COMPLETED'));
}

/** True if another service reported something about the operation or the client. */
function isTold(id: string, { truth }: Aftermath): boolean {
  return truth.notices.some(({ detail }) => detail['operationId'] === id || detail['clientId'] === id);
}
