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
import { captureLogs } from '#test/support/capture-logs.ts';
import { gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

/* These tests include errors of the compiler: `npm run check` fails if a line that is marked as an error compiles. */

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

test('a route honours Idempotency-Key when its contract says so, and only then', () => {
  const wired = [
    publicEndpoint(once, systemClock, doneOnce),
    // @ts-expect-error the contract promises idempotency, and the use case does not provide it
    publicEndpoint(once, systemClock, done),
    // @ts-expect-error the use case is idempotent, and the contract does not say so
    publicEndpoint(forAnyone, systemClock, doneOnce),
  ];
  expect(wired).toHaveLength(3);
});

test('a use case gets only the form of the body that its contract names, within its limit of size', () => {
  const wired = [
    publicEndpoint(forAnyone, systemClock, async ({ body, bytes }) => ({ body: { done: body() === bytes() } })),
    providerEndpoint(forProviders, systemClock, async ({ bytes }) => ({ body: { done: bytes().length > 0 } })),
    // @ts-expect-error a provider's format is not parsed by the contract
    providerEndpoint(forProviders, systemClock, async ({ body }) => ({ body: { done: body() === undefined } })),
    // @ts-expect-error what clients send is parsed by the contract
    clientEndpoint(forClients, async ({ bytes }) => ({ body: { done: bytes().length > 0 } })),
    // @ts-expect-error what clients send is parsed by the contract
    approvedEndpoint(forApproved, unknown, async ({ bytes }) => ({ body: { done: bytes().length > 0 } })),
    // @ts-expect-error the raw bytes would escape the limit of size
    providerEndpoint(forProviders, systemClock, async ({ http }) => ({ body: { done: http.rawBody.length > 0 } })),
  ];
  expect(wired).toHaveLength(6);
});

test.each([
  ['64 KiB where its contract says nothing', forProviders, 64 * 1024],
  ['what its contract says', contract({ ...forProviders, largestBody: 10 }), 10],
])('a body may be as large as %s; a larger one is not read', async (_, limited, most) => {
  captureLogs();
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

test('an endpoint for approved clients needs no code of its own for the guard', async () => {
  captureLogs();
  const handler = approvedEndpoint(
    forApproved,
    { dynamo: tablesInMemory().dynamo, clientsTable: 'clients', clock: systemClock },
    done,
  );
  expect(problemOf(await invoke(handler, gatewayEvent())).code).toBe('CLIENT_NOT_APPROVED');
});

test('decisions 1, client not approved: a suspended client changes nothing; it gets tokens and, in the sandbox, its approval', () => {
  const changing = [...endpoints, ...sandboxEndpoints]
    .map(({ contract: one }) => one)
    .filter(({ method }) => method !== 'GET');
  const open = changing.filter(({ access }) => access !== 'approved-client' && access !== 'provider');
  expect(open.map(({ name }) => name).sort()).toEqual(['issue-token', 'simulate-client']);
});
