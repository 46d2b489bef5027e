import { expect, test } from 'vitest';
import { endpoints } from '#infra/api/endpoints.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { noQuery } from '#shared/platform/http/fields.ts';
import { listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';

/** What clients list, and what operators do: the other looks of operators say whom they are about. */
const listing = [...endpoints, ...operatorRoutes]
  .map(({ contract }) => contract)
  .filter(({ query }) => query !== noQuery && query.safeParse({}).success);

test('decisions 14, Query parameters: some lists have them', () => {
  expect(listing).toContain(listDeliveriesContract);
  expect(listing.length).toBeGreaterThan(10);
});

test.each(listing)('decisions 14, Query parameters: $name refuses an unknown one', ({ query }) => {
  expect(query.safeParse({ 'status[]': 'PENDING' }).success).toBe(false);
});
