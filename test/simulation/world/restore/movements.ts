import * as z from 'zod/mini';
import type { DepositReturn } from '#shared/off-ramps/model/deposit.ts';
import type { Ledger } from '#test/simulation/books/ledger.ts';
import type { TrueSending } from '#test/simulation/books/truth.ts';
import { type Console, identityOf } from '#test/simulation/world/operators/console.ts';
import { depositAnswer } from '#test/simulation/world/operators/desk.ts';
import { persons } from '#test/simulation/world/script/finance.ts';

interface Known {
  readonly ledger: Pick<Ledger, 'depositIds'>;
  readonly operator: Console;
  readonly now: number;
}

/** @returns ids of movements out that have no explanation; adds the deposits that are left to people to `writtenOff` */
export async function unmatchedOf(
  known: Known,
  sendings: readonly TrueSending[],
  writtenOff: Set<string>,
): Promise<readonly string[]> {
  const unmatched: string[] = [];
  for (const sent of sendings) {
    const found = await isMatched(known, sent);
    if (typeof found === 'object') writtenOff.add(found.writtenOff);
    if (found === false) unmatched.push(sent.movementId);
  }
  return unmatched;
}

/**
 * True if a movement out is recorded as its deposit's return, or came to nothing. If not, finance requests the return
 * again, and records the hash of a sending by hand. A deposit is left to people if nobody can request its return again:
 * it has failed since, or its off-ramp counts as paid out.
 */
async function isMatched(
  { ledger, operator, now }: Known,
  sent: TrueSending,
): Promise<boolean | { readonly writtenOff: string }> {
  const phase = sent.phases.findLast(({ at }) => at <= now);
  const mayArrive = sent.phases.some(({ at, state }) => at > now && state === 'COMPLETED');
  if (phase?.state === 'FAILED' && !mayArrive) return true;
  // Nobody ordered this movement, so it is no return.
  if (sent.depositId === '') return true;
  const custodianTransferId = ledger.depositIds.get(sent.depositId);
  if (custodianTransferId === undefined) return false;
  const found = await operator.read(`deposit?deposit=${encodeURIComponent(custodianTransferId)}`);
  const { status, settled, return: left } = found === undefined ? {} : depositAnswer.parse(found);
  if (left?.returnedAt !== undefined) return true;
  if (left?.sendingAt !== undefined && sent.externalId !== undefined) return true;
  if (status === 'FAILED') return { writtenOff: custodianTransferId };
  if (settled !== undefined) await unsettle(operator, custodianTransferId);
  const refusal = await bringFurther(operator, { custodianTransferId, left, sent, txHash: phase?.txHash });
  return /paid out|contradict/.test(refusal) ? { writtenOff: custodianTransferId } : false;
}

async function unsettle(operator: Console, custodianTransferId: string): Promise<void> {
  const [first, second] = persons;
  const answer = await operator.change('unsettle-deposit', { custodianTransferId }, identityOf(first));
  if (answer?.status !== 200) return;
  const { proposalId } = proposed.parse(JSON.parse(answer.body)).proposal;
  await operator.change('confirm-deposit', { proposalId }, identityOf(second));
}

const proposed = z.object({ proposal: z.object({ proposalId: z.string() }) });

interface Left {
  readonly custodianTransferId: string;
  readonly left: DepositReturn | undefined;
  readonly sent: TrueSending;
  readonly txHash: string | undefined;
}

/** Does the next step of a return. @returns why the return cannot be requested; empty otherwise */
async function bringFurther(operator: Console, { custodianTransferId, left, sent, txHash }: Left): Promise<string> {
  const deposit = { custodianTransferId };
  const [first] = persons;
  if (left === undefined) {
    const asked = { ...deposit, payoutNeverMade: 'yes' };
    const answer = await operator.change('request-return', asked, identityOf(first));
    if (answer?.status === 400 || answer?.status === 422)
      await operator.change('request-return', { ...asked, address: sent.order.to.address }, identityOf(first));
    return answer?.status === 409 ? answer.body : '';
  }
  const confirmed = left.isAddressGiven ? { confirmAddress: left.address } : {};
  // The requester, and a person who has approved already, is refused; another person succeeds.
  if (left.approvals.length < left.approversNeeded)
    for (const person of persons)
      await operator.change('approve-return', { ...deposit, ...confirmed }, identityOf(person));
  if (sent.externalId === undefined && txHash !== undefined)
    for (const person of persons)
      await operator.change('record-return', { ...deposit, hash: txHash }, identityOf(person));
  return '';
}
