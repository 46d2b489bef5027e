import { expect, test } from 'vitest';
import { endpoints } from '#infra/api/endpoints.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { noQuery } from '#shared/platform/http/fields.ts';
import { listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';

/** What clients list, and what operators do: the other looks of operators say whom they are about. */
const listing = [...endpoints, ...operatorRoutes]
  .map(({ contract }) => contract)
  .filter(({ query }) => query !== noQuery && query.safeParse({}).success);

test('decisions 14, Query parameters: there are lists that have some', () => {
  expect(listing).toContain(listDeliveriesContract);
  expect(listing.length).toBeGreaterThan(10);
});

test.each(listing)('decisions 14, Query parameters: $name refuses one that it does not have', ({ query }) => {
  expect(query.safeParse({ 'status[]': 'PENDING' }).success).toBe(false);
});
