import { PROPOSAL_ID } from '#infra/platform/example-ids.ts';
import { type OperatorRoute, proposalToConfirm, timeZoneEnvironment } from '#infra/platform/operator-route.ts';
import {
  confirmDifferenceContract,
  custodianListContract,
  explainDifferenceContract,
  movementLine,
  readBooksContract,
  reportMovementsContract,
  runBooksContract,
} from '#shared/operators/book-contracts.ts';
import { withdrawProposalContract } from '#shared/platform/operators/proposals.ts';

const reportMovements: OperatorRoute = {
  contract: reportMovementsContract,
  environment: timeZoneEnvironment,
  tables: { deposits: ['Query:byDay', 'BatchGetItem'], books: ['Query'] },
  example: { from: '2026-11-21' },
  report: {
    columns: [...Object.keys(movementLine.shape), 'day'],
    at: 'createdAt',
    by: ['assetId', 'direction', 'term'],
    adds: ['amount'],
  },
};

/** The books, what an auditor compares them with, and the end of a proposal of any module. */
export const bookRoutes: readonly OperatorRoute[] = [
  {
    contract: readBooksContract,
    tables: { books: ['Query', 'GetItem'] },
    environment: timeZoneEnvironment,
    example: { day: '2026-11-21' },
    exports: {
      route: reportMovements,
      query: ({ day, zone }) => ({ from: String(day), to: String(day), zone: String(zone) }),
    },
  },
  reportMovements,
  {
    contract: custodianListContract,
    tables: {},
    environment: timeZoneEnvironment,
    permissions: ['list movements'],
    pagesToFile: true,
    example: { day: '2026-11-21', custodian: 'fireblocks' },
  },
  {
    contract: runBooksContract,
    tables: { books: ['Query', 'UpdateItem'] },
    example: { book: 'all' },
  },
  {
    contract: explainDifferenceContract,
    tables: { books: ['Query', 'GetItem'], proposals: ['PutItem'] },
    environment: timeZoneEnvironment,
    example: {
      ...{ book: 'deposits of fireblocks', kind: 'MONEY_WENT_OUT' },
      ...{ id: 'fireblocks:6a1f0d5e-8a4b-4f6e-9d57-2f1c3b0a7e11', day: '2026-11-21' },
    },
  },
  {
    contract: confirmDifferenceContract,
    tables: { books: ['Query', 'GetItem', 'PutItem', 'UpdateItem'], proposals: ['GetItem', 'UpdateItem'] },
    example: { proposalId: PROPOSAL_ID },
    shows: proposalToConfirm,
    question:
      'You are the second person, and nobody is called about this difference any more. Have you checked yourself where the money is?',
  },
  {
    contract: withdrawProposalContract,
    tables: { proposals: ['GetItem', 'UpdateItem'] },
    example: { proposalId: PROPOSAL_ID },
  },
];
