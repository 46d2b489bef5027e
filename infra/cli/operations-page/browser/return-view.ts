import type * as z from 'zod/mini';
import type { lookedUpDeposit } from '#shared/off-ramps/contract/operator-lookups.ts';
import { returnMachine, returnStates, stateOfReturn } from '../return-machine.ts';
import { code, element, facts, section, stateFigure } from './elements.ts';
import { time } from './times.ts';

type Deposit = z.infer<typeof lookedUpDeposit>;

/** Checks one field: the service answers by its contract. */
export function isDeposit(answer: unknown): answer is Deposit {
  return typeof answer === 'object' && answer !== null && 'depositId' in answer;
}

/** The return of a deposit, if one was requested. A declined or abandoned return is among the changes instead. */
export function returnView({ depositId, return: given, lastSending }: Deposit): HTMLElement | undefined {
  if (given === undefined) return undefined;
  const state = stateOfReturn(given);
  const { approvals, approversNeeded, isByHand, sendingAt, returnedAt, txHash } = given;
  const sending = sendingAt === undefined || isByHand ? undefined : `${depositId}-${lastSending ?? 1}`;
  const inWords = {
    [returnStates.requested]: `Requested, approved by ${approvals.length} of ${approversNeeded}`,
    [returnStates.approved]: `Approved by ${approvals.length}, waits to be sent`,
    [returnStates.sending]: `Being sent, number ${lastSending ?? 1}`,
    [returnStates.returned]: 'Returned, watched until it can no longer be undone',
  };
  return section(
    'Return of the deposit',
    element(
      'div',
      { class: 'beside' },
      stateFigure('A return', returnMachine, state, inWords[state]),
      facts([
        ['Is sent', `${given.amount} ${given.assetId}`],
        ['Fee withheld', given.fee],
        ['From', code(given.from)],
        ['To', code(given.address)],
        ['Tag', code(given.tag)],
        ['Requested', time(given.requestedAt)],
        ['Requested by', given.requestedBy],
        ...approvals.map(({ by, at }) => ['Approved by', element('span', {}, by, ' ', time(at))] as const),
        ['How', isByHand ? 'by hand' : 'by the custodian'],
        ['Being sent since', time(sendingAt)],
        ['Sent as', code(sending)],
        ['Hash', code(txHash)],
        ['Returned', time(returnedAt)],
      ]),
    ),
  );
}
