import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints } from '#infra/api/endpoints.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { addUserContract } from '#shared/clients/user-commands.ts';
import { getEventContract } from '#shared/events/event-contract.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { noQuery } from '#shared/platform/http/fields.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { getDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { CLIENT } from '#test/support/ids.ts';

const contracts = [...endpoints, ...operatorRoutes].map(({ contract }) => contract);

/** The reads whose query parameters are all optional. The other look-ups of operators need an id. */
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

const changes = operatorRoutes.map(({ contract }) => contract).filter(({ method }) => method === 'POST');

test.each(changes)('decisions 11: $name refuses an argument that it does not have, at any depth', ({ body }) => {
  const open: string[] = [];
  z.toJSONSchema(body, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, path, jsonSchema }) => {
      if (zodSchema instanceof z.ZodMiniObject && jsonSchema.additionalProperties !== false) open.push(path.join('.'));
    },
  });
  expect(open).toEqual([]);
});

test('an argument that a command does not have is named with its place', () => {
  expect(() =>
    validate(addUserContract.body, { arguments: { clientId: CLIENT, payer: { fullname: 'A' } } }, 'body'),
  ).toThrow(
    expect.objectContaining({
      errors: expect.arrayContaining([
        expect.objectContaining({ path: 'body.arguments.payer.fullname', code: 'NOT_ALLOWED' }),
      ]),
    }),
  );
});
