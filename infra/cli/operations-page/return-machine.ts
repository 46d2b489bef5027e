import type { DepositReturn } from '#shared/off-ramps/model/deposit.ts';
import type { Machine } from './state-graph.ts';

export const returnStates = {
  requested: 'Requested',
  approved: 'Approved',
  sending: 'Being sent',
  returned: 'Returned, watched',
  declined: 'Declined',
  dropped: 'Dropped',
  abandoned: 'Given up',
} as const;

/**
 * The return of a deposit (decisions.md 9, Who moves what). A return is dropped when its deposit no longer exists, and
 * abandoned when nothing was sent. A transaction that the network undoes leads back.
 */
export const returnMachine: Machine = {
  start: returnStates.requested,
  states: {
    [returnStates.requested]: { type: 'Wait', next: [returnStates.approved, returnStates.declined] },
    [returnStates.approved]: {
      type: 'Wait',
      next: [returnStates.sending, returnStates.dropped, returnStates.declined],
    },
    [returnStates.sending]: { type: 'Task', next: [returnStates.returned, returnStates.abandoned] },
    [returnStates.returned]: { type: 'Task', next: [returnStates.sending] },
    [returnStates.declined]: { type: 'Fail', next: [] },
    [returnStates.dropped]: { type: 'Fail', next: [] },
    [returnStates.abandoned]: { type: 'Fail', next: [] },
  },
};

/** The state of a return. A deposit keeps no return that ended without a transaction. */
export function stateOfReturn({ returnedAt, sendingAt, approvals, approversNeeded }: DepositReturn) {
  if (returnedAt !== undefined) return returnStates.returned;
  if (sendingAt !== undefined) return returnStates.sending;
  return approvals.length < approversNeeded ? returnStates.requested : returnStates.approved;
}
