import type { Deposit } from './deposit.ts';
import { isInPlaceOfSending } from './return-changes.ts';
import { accountInWords, hasApprovals, heldInWords, sendingIdOf } from './returns.ts';

interface Step {
  readonly who: 'FINANCE' | 'CUSTODIAN' | 'SERVICE' | 'NOBODY';
  readonly what: string;
  readonly at?: string | undefined;
}

/**
 * What happens next with a deposit that is to be sent back. `hindrance` says why its off-ramp forbids that. `heldSince`
 * is the time to which tables were restored, until the books have matched every movement out since then.
 */
export function returnNextStep(deposit: Deposit, hindrance: string | undefined, heldSince: string | undefined): Step {
  const { return: frozen, returnDueAt: at } = deposit;
  if (frozen === undefined || frozen.returnedAt !== undefined)
    return { who: 'NOBODY', what: `It was sent back, by ${frozen?.txHash}.` };
  if (frozen.sendingAt !== undefined) return whileSending(deposit, frozen, hindrance);
  const { amount, assetId, approvals, approversNeeded, failed = 0 } = frozen;
  const sum = `${amount} ${assetId} to ${accountInWords(frozen)}`;
  if (hindrance !== undefined)
    return { who: 'FINANCE', what: `Does not send ${sum} yet. ${hindrance} Or: decline-return.` };
  if (!hasApprovals(frozen))
    return {
      who: 'FINANCE',
      what: `Approves the return of ${sum}, or declines it: approve-return${frozen.isAddressGiven ? ' with --confirm-address' : ''}, decline-return. It has ${approvals.length} of ${approversNeeded} approvals.${fundedByAnother(deposit)}`,
    };
  if (heldSince !== undefined)
    return {
      who: 'FINANCE',
      what: `Sends nothing yet. ${heldInWords(heldSince)} ${frozen.isByHand ? 'If it was sent already: record-return.' : `Then the service sends ${sum}.`}`,
    };
  if (frozen.isByHand)
    return {
      who: 'FINANCE',
      what: `Sends ${sum} from ${frozen.from} by hand: start-return, before it is sent.${sentBefore(deposit)}`,
    };
  return deposit.returnState === 'WAITING'
    ? {
        who: 'FINANCE',
        what: `Finds out why ${sum} could not be sent ${failed} times, and gives it up: decline-return.`,
      }
    : { who: 'SERVICE', what: `Sends ${sum}.${putOff(deposit, frozen)}`, at };
}

function whileSending(deposit: Deposit, frozen: NonNullable<Deposit['return']>, hindrance: string | undefined): Step {
  const id = sendingIdOf(deposit);
  const also = hindrance === undefined ? '' : ` Its sending began at ${frozen.sendingAt}, and: ${hindrance}`;
  if (isInPlaceOfSending(frozen))
    return {
      who: 'FINANCE',
      what: `A reorganisation has undone ${frozen.undoneTxHash ?? 'the transfer'}, which was recorded in the place of ${id}. Either may still arrive: record it then by record-return, with its hash. Once it is certain that neither ever will: abort-return, by two persons.${also}`,
    };
  if (frozen.isByHand)
    return {
      who: 'FINANCE',
      what: `${frozen.startedBy ?? 'Somebody'} sends ${frozen.amount} ${frozen.assetId} from ${frozen.from} to ${accountInWords(frozen)}, then: record-return, with its hash.${againstTwice(frozen)} If it is certain that nothing was sent that may still arrive, also by a transaction that was undone: abort-return, by two persons.${also}`,
    };
  if (frozen.givenUpAt !== undefined)
    return {
      who: 'SERVICE',
      what: `Asks the custodian once more for ${id}, which is given up.${also}`,
      at: deposit.returnDueAt,
    };
  if (frozen.mayStillArrive)
    return {
      who: 'FINANCE',
      what: `The custodian has given ${id} up, but its chain may still take it. Once it is certain that it never will: abort-return, by two persons.${also}`,
    };
  if (also !== '') return { who: 'FINANCE', what: `Looks for ${id} at the custodian at once.${also}` };
  const { returnDueAt: at } = deposit;
  return frozen.endedAt === undefined
    ? { who: 'CUSTODIAN', what: `Sends it back: ${id}.`, at }
    : { who: 'SERVICE', what: `Looks once more for ${id}, which has failed, and sends it again.`, at };
}

/** Only the log knows what put off a return since its last approval: it is not stored, and may be over by now. */
function putOff({ network, returnDueAt }: Deposit, { approvals }: NonNullable<Deposit['return']>): string {
  if (returnDueAt === approvals.at(-1)?.at) return '';
  return ` Until now it was put off, or failed: the log says why (RETURN_HINDERED, RETURN_NOT_SENT, CUSTODIAN_UNAVAILABLE). If the settings do not have the service send returns on ${network} any more: decline-return.`;
}

/** Nothing stops the return of a second deposit while the first one, for which the off-ramp is paid, is taken back. */
function fundedByAnother({ reasons = [] }: Deposit): string {
  if (!reasons.includes('ALREADY_FUNDED')) return '';
  return ' Before that, looks whether another deposit of its off-ramp is REVERSED: then this one may be all that there is for the payout. To keep it: decline-return, then settle-deposit.';
}

/** An earlier id may be sent after its return had ended, and where a person sends, nothing has the key to ask for it. */
function sentBefore(deposit: Deposit): string {
  if (deposit.lastSending === undefined) return '';
  return ` Before that, looks for ${sendingIdOf(deposit)} and those before it at the custodian: none may have left, or still arrive.`;
}

/** Of two transactions with one nonce or sequence, the network takes one. */
function againstTwice({ undoneTxHash }: NonNullable<Deposit['return']>): string {
  if (undoneTxHash === undefined) return '';
  return ` A reorganisation has undone ${undoneTxHash}, which may still arrive: this one uses its nonce or sequence, so that only one of the two can.`;
}

/** Says in the answer to one person who must do the next step of a return; `undefined` if none must, or it is being sent. */
export function awaitedPerson({ custodianTransferId: id, return: frozen }: Deposit): string | undefined {
  if (frozen === undefined || frozen.sendingAt !== undefined || frozen.returnedAt !== undefined) return undefined;
  const { approvals, approversNeeded, isByHand, isAddressGiven } = frozen;
  if (!hasApprovals(frozen))
    return `It is not sent yet: it has ${approvals.length} of ${approversNeeded} approvals. Another person, who has neither requested nor approved it: approve-return ${id}${isAddressGiven ? ' --confirm-address <address>' : ''}.`;
  return isByHand
    ? `It is not sent yet: a person sends it by hand. Before that, another than who has requested it: start-return ${id}.`
    : undefined;
}
