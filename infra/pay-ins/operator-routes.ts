import { PAYIN_ID, PROPOSAL_ID } from '#infra/platform/example-ids.ts';
import {
  CLIENT_NAMES,
  OPEN_PROPOSALS,
  type OperatorRoute,
  proposalToConfirm,
  timeZoneEnvironment,
} from '#infra/platform/operator-route.ts';
import {
  confirmPayinContract,
  endPayinContract,
  expirePayinContract,
  pollPayinContract,
} from '#shared/pay-ins/pay-in-commands.ts';
import { completedLine, listMismatchedContract, reportPayinsContract } from '#shared/pay-ins/pay-in-lookups.ts';

/** Operators' look-ups and changes of pay-ins. */
export const payInOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: listMismatchedContract,
    tables: { payins: ['Query:mismatched', 'GetItem'], clients: CLIENT_NAMES, proposals: OPEN_PROPOSALS },
    example: {},
  },
  {
    contract: reportPayinsContract,
    environment: timeZoneEnvironment,
    tables: { payins: ['Query:completed', 'BatchGetItem'] },
    example: { from: '2026-11-01', to: '2026-11-30' },
    report: {
      columns: [...Object.keys(completedLine.shape), 'day'],
      at: 'completedAt',
      by: ['clientId', 'paymentMethod', 'currency', 'status', 'settlement'],
      adds: ['amount', 'amountAtRail'],
    },
  },
  { contract: pollPayinContract, tables: { payins: ['UpdateItem'] }, example: { payinId: PAYIN_ID } },
  {
    contract: expirePayinContract,
    tables: { payins: ['GetItem', 'UpdateItem'], events: ['PutItem', 'Query'] },
    example: { payinId: PAYIN_ID },
    question: 'The client of this pay-in is told that it has expired. Does the rail say that it will not be paid?',
  },
  {
    contract: endPayinContract,
    tables: { payins: ['GetItem', 'PutItem', 'UpdateItem'], events: ['PutItem', 'Query'], proposals: ['PutItem'] },
    environment: ({ settings }) => ({ TWO_PERSONS_ABOVE: JSON.stringify(settings.twoPersonsAbove ?? {}) }),
    example: { payinId: PAYIN_ID, paidAmount: '14000', outcome: 'refunded', reference: 'TRF-20261121-0042' },
    question:
      'This money leaves the list. If the pay-in is open, its client is told that it has failed. Is that settled with the client?',
  },
  {
    contract: confirmPayinContract,
    tables: {
      payins: ['GetItem', 'PutItem', 'UpdateItem'],
      events: ['PutItem', 'Query'],
      proposals: ['GetItem', 'UpdateItem'],
    },
    example: { proposalId: PROPOSAL_ID },
    shows: proposalToConfirm,
    question: 'You are the second person, and it is done at once. Have you checked the pay-in and its refund yourself?',
  },
];
