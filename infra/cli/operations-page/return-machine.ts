import type { DepositReturn } from '#shared/off-ramps/model/deposit.ts';
import type { Machine } from './state-graph.ts';

export const returning = {
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
  start: returning.requested,
  states: {
    [returning.requested]: { type: 'Wait', next: [returning.approved, returning.declined] },
    [returning.approved]: { type: 'Wait', next: [returning.sending, returning.dropped, returning.declined] },
    [returning.sending]: { type: 'Task', next: [returning.returned, returning.abandoned] },
    [returning.returned]: { type: 'Task', next: [returning.sending] },
    [returning.declined]: { type: 'Fail', next: [] },
    [returning.dropped]: { type: 'Fail', next: [] },
    [returning.abandoned]: { type: 'Fail', next: [] },
  },
};

/** The state of a return. A deposit keeps no return that ended without a transaction. */
export function stateOfReturn({ returnedAt, sendingAt, approvals, approversNeeded }: DepositReturn) {
  if (returnedAt !== undefined) return returning.returned;
  if (sendingAt !== undefined) return returning.sending;
  return approvals.length < approversNeeded ? returning.requested : returning.approved;
}
