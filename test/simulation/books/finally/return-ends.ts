import { Big } from 'big.js';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { accountOf, isFinal, isNotifiedOfEnd, phaseAt } from '../fits.ts';
import { has, instant, text } from '../items.ts';
import { isIn, type Term, termsOf } from '../terms.ts';
import type { TrueSending, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** A deposit is sent back once at most, and both sides of the equation agree. */
export function checkReturnEnds(aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  const sent = Map.groupBy(truth.sendings, ({ depositId }) => depositId);
  for (const [id, deposit] of ledger.deposits) checkSent(id, deposit, sent.get(depositIdOf(id)) ?? [], aftermath);
  checkEquation(aftermath);
}

function checkSent(id: string, deposit: Item, sendings: readonly TrueSending[], aftermath: Aftermath): void {
  const { ledger, now } = aftermath;
  const left = deposit['return']?.M;
  const arrived = sendings.filter(({ phases }) => phases.at(-1)?.state === 'COMPLETED');
  must('money that came in once is sent back once at most', arrived.length <= 1, {
    id,
    arrived: arrived.map(({ externalId }) => externalId ?? 'by hand'),
  });
  const [one] = arrived;
  if (has(left, 'returnedAt')) checkReturned(id, left, sendings);
  if (one === undefined || aftermath.writtenOff?.has(id) === true) return;
  const isCounted = termsOf(deposit, ledger.operations.get(text(deposit, 'operationId')));
  const isReturn = isCounted.length === 1 && (isCounted[0] === 'RETURNED' || isCounted[0] === 'RETURNING');
  must('what has left counts as sent back, and as nothing else', isReturn, { id, isCounted });
  const isSettled = (one.phases.at(-1)?.at ?? now) < now - LATE && one.externalId !== undefined;
  const isAsked = instant(deposit, 'returnDueAt') >= now - LATE || text(deposit, 'returnState') === 'WAITING';
  must('what has left is known to be sent back', !isSettled || isAsked || has(left, 'returnedAt'), { id });
  checkPaidOut(id, deposit, one, aftermath);
}

/** A return that is recorded as done has left, with its frozen amount, address and tag. */
function checkReturned(id: string, left: Item | undefined, sendings: readonly TrueSending[]): void {
  const sent = sendings.find(({ phases }) =>
    phases.some(({ state, txHash }) => state === 'COMPLETED' && txHash === text(left, 'txHash')),
  );
  const { amount, to } = sent?.order ?? {};
  const isSame =
    sent !== undefined &&
    new Big(amount ?? 0).eq(text(left, 'amount')) &&
    accountOf(to?.address ?? '') === accountOf(text(left, 'address')) &&
    (to?.tag ?? '') === text(left, 'tag');
  must('what is known as sent back has left, as it was frozen', isSame, { id, txHash: text(left, 'txHash') });
}

/** A deposit is not sent back after its payout was made and reported. */
function checkPaidOut(id: string, deposit: Item, { takenAt }: TrueSending, { truth, remains }: Aftermath): void {
  if (!has(deposit, 'creditedAt')) return;
  const undelivered = remains.undelivered.join();
  const paid = truth.payouts.filter(
    ({ operationId, at, isBack, reference }) =>
      operationId === text(deposit, 'operationId') &&
      !isBack &&
      at < takenAt - LATE &&
      !undelivered.includes(`"${reference}"`),
  );
  must('what was paid out is not sent back', paid.length === 0, { id, paid });
}

const none = (): Record<Term, Big> => ({
  CREDITED: new Big(0),
  OWED: new Big(0),
  UNMATCHED: new Big(0),
  KEPT: new Big(0),
  RETURNING: new Big(0),
  RETURNED: new Big(0),
  DUST: new Big(0),
});

/**
 * Per asset: the sum of deposits on the chain equals the sum of the terms that the service has written (decisions.md 9,
 * The equation). Transfers whose end the service cannot know yet are on neither side.
 */
function checkEquation(aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  const open = new Set(
    truth.transfers.filter((one) => isOpen(one, aftermath)).map(({ facts }) => facts.custodianTransferId),
  );
  const terms = new Map<string, Record<Term, Big>>();
  for (const [id, deposit] of ledger.deposits) {
    if (open.has(id) || !isIn(deposit)) continue;
    const asset = `${text(deposit, 'network')} ${text(deposit['transfer']?.M, 'assetId')}`;
    const sums = terms.get(asset) ?? none();
    for (const term of termsOf(deposit, ledger.operations.get(text(deposit, 'operationId'))))
      sums[term] = sums[term].plus(text(deposit['transfer']?.M, 'amount'));
    terms.set(asset, sums);
  }
  const came = Map.groupBy(
    truth.transfers.filter(({ facts, phases }) => !open.has(facts.custodianTransferId) && isFinal(phases.at(-1))),
    ({ facts }) => `${facts.network} ${facts.assetId}`,
  );
  for (const asset of new Set([...terms.keys(), ...came.keys()])) {
    const cameIn = (came.get(asset) ?? []).reduce((sum, { facts }) => sum.plus(facts.amount), new Big(0));
    const sums = terms.get(asset) ?? none();
    const total = Object.values(sums).reduce((sum, term) => sum.plus(term), new Big(0));
    must('what came in is the sum of the terms of the equation', cameIn.eq(total), { asset, came: cameIn, sums });
  }
}

/** True if the transfer is not a deposit, or the service cannot know its end yet, or was never told. */
function isOpen(transfer: TrueTransfer, { ledger, now }: Aftermath): boolean {
  const { facts } = transfer;
  const deposit = ledger.deposits.get(facts.custodianTransferId);
  if (facts.isFromCustodian === true || !ledger.accounts.has(accountOf(facts.toAddress))) return true;
  if (deposit === undefined || text(deposit, 'ignoredReason') === 'NOT_OURS') return true;
  const isStill = phaseAt(transfer, now - LATE) === transfer.phases.at(-1);
  return !isStill || !isNotifiedOfEnd(transfer) || instant(deposit, 'nextPollAt') >= now - LATE;
}
