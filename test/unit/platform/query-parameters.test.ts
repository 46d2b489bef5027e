import { expect, test } from 'vitest';
import { endpoints } from '#infra/api/endpoints.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { getEventContract } from '#shared/events/event-contract.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { noQuery } from '#shared/platform/http/fields.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { getDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';

const contracts = [...endpoints, ...operatorRoutes].map(({ contract }) => contract);

/** What clients list, and what operators do: the other looks of operators say whom they are about. */
const listing = contracts.filter(({ query }) => query !== noQuery && query.safeParse({}).success);

test('decisions 14, Query parameters: all lists look at them, and the reads of an event and of a delivery', () => {
  const lists = contracts.filter(({ name }) => name.startsWith('list-'));
  expect(lists.length).toBeGreaterThan(10);
  expect(listing).toEqual(expect.arrayContaining([...lists, getEventContract, getDeliveryContract]));
});

test.each(listing)('decisions 14, Query parameters: $name refuses an unknown one', ({ query }) => {
  expect(query.safeParse({ 'status[]': 'PENDING' }).success).toBe(false);
});

test.each(endpoints.map(({ contract }) => contract).filter(({ query }) => query !== noQuery))(
  'decisions 3: $name, whose query can be refused, says so in the description',
  ({ errors }) => {
    expect(errors).toContain(apiErrors.VALIDATION_FAILED);
  },
);

test.each(endpoints.map(({ contract }) => contract).filter(({ path }) => path.startsWith('/api/sandbox/')))(
  'decisions 8: $name refuses an unknown field of its body',
  ({ body }) => {
    const read = () => validate(body, { paidAmuont: 1 }, 'body');
    const unknown = { path: 'body.paidAmuont', code: 'NOT_ALLOWED', message: 'is not a field of it' };
    expect(read).toThrow(expect.objectContaining({ errors: expect.arrayContaining([unknown]) }));
  },
);
