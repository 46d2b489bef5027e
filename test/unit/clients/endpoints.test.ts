import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import type { FindClient } from '#shared/clients/client-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { type Access, contract } from '#shared/platform/http/contract.ts';
import { clientEndpoint, providerEndpoint, publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';
import { gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';
import { logged } from '#test/support/logged.ts';

/* What the compiler refuses is part of these tests: `npm run check` fails when it takes a line that is marked as an error. */

const route = <W extends Access>(access: W) =>
  contract({
    name: 'do-thing',
    method: 'POST',
    path: '/api/things',
    summary: 'Does a thing',
    access,
    pathParameters: noPathParameters,
    unknownPath: apiErrors.NOT_FOUND,
    query: noQuery,
    body: noBody,
    success: { status: 200, body: z.object({ done: z.boolean() }) },
    errors: [],
  });
const [forAnyone, forProviders, forClients, forApproved] = [
  route('public'),
  route('provider'),
  route('client'),
  route('approved-client'),
];
const once = contract({ ...forAnyone, idempotent: true });

const done = async () => ({ body: { done: true } });
const doneOnce = async () => ({ body: { done: true }, isMadeOnce: true }) as const;
const unknown: FindClient = async () => undefined;

test('a route is wired by the endpoint of its access, and by no other', () => {
  const wired = [
    publicEndpoint(forAnyone, systemClock, done),
    providerEndpoint(forProviders, systemClock, done),
    clientEndpoint(forClients, systemClock, done),
    approvedEndpoint(forApproved, systemClock, unknown, done),
    // @ts-expect-error a provider's
    publicEndpoint(forProviders, systemClock, done),
    // @ts-expect-error clients'
    publicEndpoint(forClients, systemClock, done),
    // @ts-expect-error approved clients'
    publicEndpoint(forApproved, systemClock, done),
    // @ts-expect-error anybody's
    providerEndpoint(forAnyone, systemClock, done),
    // @ts-expect-error clients'
    providerEndpoint(forClients, systemClock, done),
    // @ts-expect-error approved clients'
    providerEndpoint(forApproved, systemClock, done),
    // @ts-expect-error anybody's
    clientEndpoint(forAnyone, systemClock, done),
    // @ts-expect-error a provider's
    clientEndpoint(forProviders, systemClock, done),
    // @ts-expect-error approved clients'
    clientEndpoint(forApproved, systemClock, done),
    // @ts-expect-error anybody's
    approvedEndpoint(forAnyone, systemClock, unknown, done),
    // @ts-expect-error a provider's
    approvedEndpoint(forProviders, systemClock, unknown, done),
    // @ts-expect-error clients'
    approvedEndpoint(forClients, systemClock, unknown, done),
  ];
  expect(wired).toHaveLength(16);
});

test('a route honours Idempotency-Key when its contract says so, and only then', () => {
  const wired = [
    publicEndpoint(once, systemClock, doneOnce),
    // @ts-expect-error what is made is not made once
    publicEndpoint(once, systemClock, done),
    // @ts-expect-error the key is honoured, and the contract does not say so
    publicEndpoint(forAnyone, systemClock, doneOnce),
  ];
  expect(wired).toHaveLength(3);
});

test('a use case has of the body what its contract lets it have, within the limit of the contract', () => {
  const wired = [
    publicEndpoint(forAnyone, systemClock, async ({ body, bytes }) => ({ body: { done: body() === bytes() } })),
    providerEndpoint(forProviders, systemClock, async ({ bytes }) => ({ body: { done: bytes().length > 0 } })),
    // @ts-expect-error a provider's format is not parsed by the contract
    providerEndpoint(forProviders, systemClock, async ({ body }) => ({ body: { done: body() === undefined } })),
    // @ts-expect-error what clients send is parsed by the contract
    clientEndpoint(forClients, async ({ bytes }) => ({ body: { done: bytes().length > 0 } })),
    // @ts-expect-error what clients send is parsed by the contract
    approvedEndpoint(forApproved, unknown, async ({ bytes }) => ({ body: { done: bytes().length > 0 } })),
    // @ts-expect-error the bytes are not to be had past the limit
    providerEndpoint(forProviders, systemClock, async ({ http }) => ({ body: { done: http.rawBody.length > 0 } })),
  ];
  expect(wired).toHaveLength(6);
});

test.each([
  ['64 KiB where its contract says nothing', forProviders, 64 * 1024],
  ['what its contract says', contract({ ...forProviders, largestBody: 10 }), 10],
])('a body may be as large as %s, and is not looked at when it is larger', async (_, limited, most) => {
  logged();
  const handler = providerEndpoint(limited, systemClock, async ({ bytes }) => ({
    body: { done: bytes().length === most },
  }));
  const sent = (bytes: number) => invoke(handler, gatewayEvent({ body: '{'.repeat(bytes), pathParameters: {} }));
  expect(JSON.parse((await sent(most)).body)).toEqual({ done: true });
  const problem = problemOf(await sent(most + 1));
  expect([problem.code, problem.detail]).toEqual([
    'PAYLOAD_TOO_LARGE',
    `The body is larger than this route accepts. Send at most ${most} bytes.`,
  ]);
});

test('the size of a body is looked at before its media type and its content', async () => {
  logged();
  const handler = publicEndpoint(contract({ ...forAnyone, largestBody: 10 }), systemClock, async ({ body }) => {
    body();
    return done();
  });
  const event = gatewayEvent({ body: '{'.repeat(11), headers: { 'Content-Type': 'text/plain' }, pathParameters: {} });
  expect(problemOf(await invoke(handler, event)).code).toBe('PAYLOAD_TOO_LARGE');
});

test('the guard of approved clients comes with their endpoint', async () => {
  logged();
  const handler = approvedEndpoint(forApproved, systemClock, unknown, done);
  expect(problemOf(await invoke(handler, gatewayEvent())).code).toBe('CLIENT_NOT_APPROVED');
});

test.each([
  ['clients', clientEndpoint(forClients, systemClock, done)],
  ['approved clients', approvedEndpoint(forApproved, systemClock, unknown, done)],
])('nobody without a token comes in as one of the %s', async (_, handler) => {
  logged();
  const withoutToken = gatewayEvent({ requestContext: { requestId: 'request-1' } });
  expect(problemOf(await invoke(handler, withoutToken)).code).toBe('UNAUTHORIZED');
});

test('decisions 1, client not approved: a suspended client changes nothing; it gets tokens and, in the sandbox, its approval', () => {
  const changing = [...endpoints, ...sandboxEndpoints]
    .map(({ contract: one }) => one)
    .filter(({ method }) => method !== 'GET');
  const open = changing.filter(({ access }) => access !== 'approved-client' && access !== 'provider');
  expect(open.map(({ name }) => name).sort()).toEqual(['issue-token', 'simulate-client']);
});
