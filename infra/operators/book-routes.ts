import { type OperatorRoute, timeZoneOf } from '#infra/platform/operator-route.ts';
import {
  custodianListContract,
  movementLine,
  readBooksContract,
  reportMovementsContract,
  runBooksContract,
} from '#shared/operators/book-contracts.ts';

const reportMovements: OperatorRoute = {
  contract: reportMovementsContract,
  environment: timeZoneOf,
  tables: { deposits: ['Query:byDay', 'BatchGetItem'], books: ['Query'] },
  example: { from: '2026-11-21' },
  report: {
    columns: [...Object.keys(movementLine.shape), 'day'],
    at: 'createdAt',
    by: ['assetId', 'direction', 'term'],
    adds: ['amount'],
  },
};

/** The books, and what an auditor compares them with. */
export const bookRoutes: readonly OperatorRoute[] = [
  {
    contract: readBooksContract,
    tables: { books: ['Query', 'GetItem'] },
    environment: timeZoneOf,
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
    environment: timeZoneOf,
    permissions: ['list movements'],
    pagesToFile: true,
    example: { day: '2026-11-21', custodian: 'fireblocks' },
  },
  {
    contract: runBooksContract,
    tables: { books: ['Query', 'UpdateItem'] },
    example: { book: 'all' },
  },
];
