import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { type ApiErrorCode, declaredErrors, errorCodes } from '#infra/api/openapi/declared-errors.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { ConflictPersists } from '#shared/platform/dynamodb/transaction.ts';
import { commonHeaders } from '#shared/platform/http/answer.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { type Access, contract } from '#shared/platform/http/contract.ts';
import { type Authorise, endpoint } from '#shared/platform/http/endpoint.ts';
import { id, noBody, noContent, noPathParameters, noQuery, pageLimit } from '#shared/platform/http/fields.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import type { Call, UseCase } from '#shared/platform/http/use-case.ts';
import { log } from '#shared/platform/logger.ts';
import { ProviderSimulated } from '#shared/platform/retry.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { authorized, context, gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';
import { idempotencyRecordsInMemory } from '#test/support/idempotency-records-in-memory.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';

const route = contract({
  name: 'do-thing',
  method: 'POST',
  path: '/api/things/{user_id}/{operation_id}',
  summary: 'Does a thing',
  access: 'client',
  pathParameters: z.object({ user_id: id, operation_id: id }),
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: z.object({ txHash: z.string() }),
  success: { status: 202, body: z.object({ txHash: z.string() }) },
  errors: [],
});

const clock = fakeClock('2026-08-01T12:00:00.000Z');
const allow = { authorise: async () => {}, clock };
const refuseWith = (code: ApiErrorCode) => async () => {
  throw new ApiError(declaredErrors[code]);
};
const echo = async ({ body }: Pick<Call<typeof route>, 'body'>) => ({ body: { txHash: body().txHash } });

test('decisions 12, registry: a path that API Gateway has for one value only still has its parameter', async () => {
  const resource = `/api/things/${USER}/{operation_id}`;
  const event = gatewayEvent({ resource, pathParameters: { operation_id: OPERATION } });
  const handler = endpoint(route, allow, async ({ path }) => ({ body: { txHash: path.user_id } }));
  expect(JSON.parse((await invoke(handler, event)).body)).toEqual({ txHash: USER });
});

describe('decisions 2: a success', () => {
  test('has the status of the contract, the answer as JSON and headers that keep it private', async () => {
    expect(await invoke(endpoint(route, allow, echo), gatewayEvent())).toEqual({
      statusCode: 202,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Strict-Transport-Security': 'max-age=31536000',
        'X-Request-Id': 'request-1',
      },
      body: '{"txHash":"x"}',
    });
  });

  test('has no field that is not in its contract', async () => {
    const answer = { txHash: 'x', clientId: CLIENT };
    const handler = endpoint(route, allow, async () => ({ body: answer }));
    expect((await invoke(handler, gatewayEvent())).body).toBe('{"txHash":"x"}');
  });

  test('without content has neither a body nor a type of one', async () => {
    const nothing = contract({ ...route, method: 'DELETE', success: { status: 204, body: noContent } });
    const answer = await invoke(
      endpoint(nothing, allow, async () => ({ body: undefined })),
      gatewayEvent(),
    );
    expect(answer).toEqual({
      statusCode: 204,
      headers: { ...commonHeaders, 'X-Request-Id': 'request-1' },
      body: '',
    });
  });

  test('the use case gets the client of the token and the ids of the path in lower case', async () => {
    const calls: unknown[] = [];
    const handler = endpoint(route, allow, async ({ clientId, path }) => {
      calls.push({ clientId, path });
      return { body: { txHash: 'x' } };
    });
    const upperCase = 'ABCDEF01-ABCD-ABCD-ABCD-ABCDEF012345';
    await invoke(handler, gatewayEvent({ pathParameters: { user_id: upperCase, operation_id: OPERATION } }));
    expect(calls).toEqual([{ clientId: CLIENT, path: { user_id: upperCase.toLowerCase(), operation_id: OPERATION } }]);
  });
});

describe('decisions 1: 401 UNAUTHORIZED', () => {
  const now = Math.floor(clock.now().getTime() / 1000);

  test.each([
    ['no authorizer', { requestId: 'request-1' }],
    ['an empty authorizer', { requestId: 'request-1', authorizer: {} }],
    ['no client', { requestId: 'request-1', authorizer: { exp: '4000000000' } }],
    ['no expiry', { requestId: 'request-1', authorizer: { clientId: CLIENT } }],
    ['a token that a cached authorizer answer has outlived', authorized(now - 1)],
    ['a token from long ago', authorized(1)],
  ])('%s', async (_, requestContext) => {
    captureLogs();
    const answer = await invoke(endpoint(route, allow, echo), gatewayEvent({ requestContext }));
    expect(answer.statusCode).toBe(401);
    expect(problemOf(answer).code).toBe('UNAUTHORIZED');
  });

  test('a token that lives is let in, as a number or as text', async () => {
    for (const exp of [now + 60, String(now + 60)]) {
      const requestContext = { requestId: 'request-1', authorizer: { clientId: CLIENT, exp } };
      const answer = await invoke(endpoint(route, allow, echo), gatewayEvent({ requestContext }));
      expect(answer.statusCode).toBe(202);
    }
  });

  test.each<Access>(['public', 'provider'])('a %s route needs no token and has no client', async (access) => {
    const handler = endpoint({ ...route, access }, allow, async ({ clientId }) => ({
      body: { txHash: `[${clientId}]` },
    }));
    const answer = await invoke(handler, gatewayEvent({ requestContext: { requestId: 'request-1' } }));
    expect(answer.body).toBe('{"txHash":"[]"}');
  });
});

describe('decisions 3: order of the checks', () => {
  const wrongInEveryWay = {
    requestContext: { requestId: 'request-1' },
    pathParameters: { user_id: 'x', operation_id: 'y' },
    body: '{',
  };
  const codeOf = async (authorise: Authorise, differences: Record<string, unknown>) => {
    captureLogs();
    return problemOf(await invoke(endpoint(route, { authorise, clock }, echo), gatewayEvent(differences))).code;
  };

  test('the token comes first', async () => {
    expect(await codeOf(refuseWith('CLIENT_NOT_APPROVED'), wrongInEveryWay)).toBe('UNAUTHORIZED');
  });

  test('then whether the client is approved', async () => {
    const differences = { ...wrongInEveryWay, requestContext: authorized(4_000_000_000) };
    expect(await codeOf(refuseWith('CLIENT_NOT_APPROVED'), differences)).toBe('CLIENT_NOT_APPROVED');
  });

  test('then the ids of the path: an id that is no UUID counts as one that does not exist', async () => {
    const differences = { ...wrongInEveryWay, requestContext: authorized(4_000_000_000) };
    expect(await codeOf(allow.authorise, differences)).toBe('OFF_RAMP_NOT_FOUND');
    expect(await codeOf(allow.authorise, { body: '{', pathParameters: { user_id: USER, operation_id: 'y' } })).toBe(
      'OFF_RAMP_NOT_FOUND',
    );
    expect(await codeOf(allow.authorise, { body: '{', pathParameters: null })).toBe('OFF_RAMP_NOT_FOUND');
  });

  test('then the body', async () => {
    expect(await codeOf(allow.authorise, { body: '{' })).toBe('MALFORMED_JSON');
    expect(await codeOf(allow.authorise, { body: '{}' })).toBe('VALIDATION_FAILED');
    expect(await codeOf(allow.authorise, { body: null })).toBe('VALIDATION_FAILED');
  });

  test('the client that is authorised is the one of the token', async () => {
    const asked: string[] = [];
    const authorise: Authorise = async (clientId) => {
      asked.push(clientId);
    };
    await invoke(endpoint(route, { authorise, clock }, echo), gatewayEvent());
    expect(asked).toEqual([CLIENT]);
  });
});

test('decisions 4, reading an operation: query parameters are validated when the use case asks for them', async () => {
  captureLogs();
  const paged = { ...route, query: z.object({ limit: z._default(z.string().check(z.regex(/^[1-9]$/)), '5') }) };
  const handler = endpoint(paged, allow, async ({ query }) => ({ body: { txHash: query().limit } }));
  const asked = async (queryStringParameters: unknown) => invoke(handler, gatewayEvent({ queryStringParameters }));
  expect((await asked({ limit: '7', other: 'x' })).body).toBe('{"txHash":"7"}');
  expect((await asked(null)).body).toBe('{"txHash":"5"}');
  expect(problemOf(await asked({ limit: '0' })).errors).toMatchObject([
    { path: 'query.limit', code: 'INVALID_FORMAT' },
  ]);
  expect(
    (await invoke(endpoint(paged, allow, echo), gatewayEvent({ queryStringParameters: { limit: '0' } }))).statusCode,
  ).toBe(202);
});

describe('decisions 3: one shape of error, RFC 9457', () => {
  const calledAt = (path: string) =>
    gatewayEvent({ requestContext: { ...authorized(4_000_000_000), domainName: 'api.example', path } });

  test.each([
    ['beside what was called', '', '/prod/api/x', 'https://api.example/prod/api/docs'],
    ['beside what was called with more slashes than needed', '', '//prod//api/x', 'https://api.example/prod/api/docs'],
    ['beside what an operator has called', '', '/prod/operations/x', 'https://api.example/prod/api/docs'],
    ['where the deployment says', 'https://docs.example.com', '/prod/api/x', 'https://docs.example.com'],
  ])('decisions 14, Problem types: the type is the page of the code, %s', async (_, setting, path, docs) => {
    captureLogs();
    vi.stubEnv('DOCS_URL', setting || undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const answer = await invoke(endpoint(route, allow, refuseWith('OFF_RAMP_NOT_FOUND')), calledAt(path));
    expect(problemOf(answer).type).toBe(`${docs}/errors/OFF_RAMP_NOT_FOUND.html`);
  });

  test('with type, title, status, code, detail and request id', async () => {
    const lines = captureLogs();
    const answer = await invoke(
      endpoint(route, allow, refuseWith('TX_HASH_ALREADY_DECLARED')),
      calledAt('/prod/api/x'),
    );
    expect(answer.statusCode).toBe(409);
    expect(answer.headers).toEqual({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Request-Id': 'request-1',
    });
    expect(JSON.parse(answer.body)).toEqual({
      type: 'https://api.example/prod/api/docs/errors/TX_HASH_ALREADY_DECLARED.html',
      title: 'Conflict',
      status: 409,
      code: 'TX_HASH_ALREADY_DECLARED',
      detail: declaredErrors.TX_HASH_ALREADY_DECLARED.detail,
      requestId: 'request-1',
    });
    expect(lines.map(({ level }) => level)).toEqual(['info']);
  });

  test('decisions 14, Query parameters: one that a list does not have, and one that is given twice, is 422', async () => {
    captureLogs();
    const query = z.strictObject({ status: z.optional(z.enum(['PENDING', 'FAILED'])), limit: pageLimit });
    const list = contract({ ...route, method: 'GET', body: noBody, query });
    const asked = (given: Readonly<Record<string, readonly string[]>>) =>
      invoke(
        endpoint(list, allow, async (call) => ({ body: { txHash: String(call.query().status) } })),
        gatewayEvent({
          httpMethod: 'GET',
          multiValueQueryStringParameters: given,
          queryStringParameters: Object.fromEntries(Object.entries(given).map(([name, all]) => [name, all.at(-1)])),
        }),
      );
    expect((await asked({ status: ['PENDING'], limit: ['5'] })).statusCode).toBe(202);
    const refused = await asked({ status: ['PENDING', 'FAILED'], limit: ['5', '7'], 'status[]': ['x'] });
    expect(refused.statusCode).toBe(422);
    expect(problemOf(refused).errors).toEqual([
      { path: 'query.status', code: 'REPEATED', message: 'must be given once' },
      { path: 'query.limit', code: 'REPEATED', message: 'must be given once' },
      { path: 'query.status[]', code: 'NOT_ALLOWED', message: 'is not a parameter' },
    ]);
  });

  test.each([
    [{ 'Idempotency-Key': ['one', 'two'] }, { 'Idempotency-Key': 'two' }],
    [
      { 'Idempotency-Key': ['one'], 'idempotency-key': ['two'] },
      { 'Idempotency-Key': 'one', 'idempotency-key': 'two' },
    ],
  ])(
    'decisions 5, same request twice: two keys are 422, and nothing is made: %j',
    async (multiValueHeaders, headers) => {
      captureLogs();
      const once = createRunIdempotently(idempotencyRecordsInMemory(), clock, () => 'id');
      const made: string[] = [];
      const handler = endpoint({ ...route, idempotent: true }, allow, (call) =>
        once(call, {}, async (txHash) => {
          made.push(txHash);
          return { txHash };
        }),
      );
      const json = { 'Content-Type': 'application/json' };
      const single = {
        multiValueHeaders: { 'Idempotency-Key': ['one'] },
        headers: { ...json, 'Idempotency-Key': 'one' },
      };
      const refused = await invoke(handler, gatewayEvent({ multiValueHeaders, headers: { ...json, ...headers } }));
      expect(refused.statusCode).toBe(422);
      expect(problemOf(refused).errors).toEqual([
        { path: 'header.Idempotency-Key', code: 'REPEATED', message: 'must be given once' },
      ]);
      expect(made).toEqual([]);
      expect((await invoke(handler, gatewayEvent(single))).statusCode).toBe(202);
    },
  );

  test('is 503 with Retry-After for what a store cannot do at this moment', async () => {
    const lines = captureLogs();
    const handler = endpoint(route, allow, async () => {
      throw new ConflictPersists('TransactionConflict');
    });
    const answer = await invoke(handler, gatewayEvent());
    expect([answer.statusCode, problemOf(answer).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers).toMatchObject({ 'Retry-After': '1' });
    const fields = { reason: 'CONFLICT_PERSISTS', cause: 'ConflictPersists: TransactionConflict' };
    expect(lines).toMatchObject([{ level: 'warn', code: 'REQUEST_DECLINED', fields }]);
  });

  test.each<[why: string, error: Error, access: Access, code: string, reason?: string]>([
    [
      'a pay-in that the rail refuses',
      new ApiError(payinErrors.RAIL_REJECTED),
      'approved-client',
      'REQUEST_DECLINED',
      'RAIL_REJECTED',
    ],
    [
      'a provider that is simulated in production',
      new ApiError(apiErrors.SERVICE_UNAVAILABLE, { cause: new ProviderSimulated() }),
      'approved-client',
      'REQUEST_DECLINED',
      'PROVIDER_SIMULATED',
    ],
    ['a conflict of a notification', new ConflictPersists('sequence'), 'provider', 'REQUEST_FAILED'],
    ['a table that is throttled', new ConflictPersists('ThrottlingError'), 'client', 'REQUEST_FAILED'],
    ['a rail that does not answer', new ApiError(payinErrors.RAIL_UNAVAILABLE), 'client', 'REQUEST_FAILED'],
    ['anything else', new Error('on fire'), 'client', 'REQUEST_FAILED'],
  ])(
    'decisions 10, Conflicts: only what a client can cause counts for no alarm: %s',
    async (_, error, access, code, reason) => {
      const lines = captureLogs();
      const fail = async () => {
        throw error;
      };
      await invoke(endpoint({ ...route, access }, allow, fail), gatewayEvent());
      expect(lines).toMatchObject([{ code, fields: reason === undefined ? {} : { reason } }]);
      expect(Object.keys(lines[0]?.fields ?? {}).includes('reason')).toBe(reason !== undefined);
    },
  );

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])(
    'is 503 with Retry-After where AWS is asked too much: %s',
    async (name) => {
      captureLogs();
      const handler = endpoint(route, allow, async () => {
        throw Object.assign(new Error('too much'), { name });
      });
      const answer = await invoke(handler, gatewayEvent());
      expect([answer.statusCode, problemOf(answer).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(answer.headers).toMatchObject({ 'Retry-After': '1' });
    },
  );

  test('without WWW-Authenticate, which API Gateway renames in the answer of a function', async () => {
    captureLogs();
    const answer = await invoke(endpoint(route, allow, refuseWith('UNAUTHORIZED')), gatewayEvent());
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).not.toHaveProperty('WWW-Authenticate');
  });

  test('every error has a problem with its own status, code, title and detail', async () => {
    captureLogs();
    for (const code of errorCodes) {
      const answer = await invoke(endpoint(route, allow, refuseWith(code)), gatewayEvent());
      const problem = problemOf(answer);
      expect(problem).toMatchObject({ code, status: declaredErrors[code].status, detail: declaredErrors[code].detail });
      expect(answer.statusCode).toBe(problem.status);
      expect(problem.title).not.toBe('');
    }
    expect(errorCodes.length).toBeGreaterThan(20);
  });
});

describe('decisions 3: INTERNAL_ERROR, no detail of the cause leaves the service', () => {
  const failures: readonly (readonly [string, () => unknown])[] = [
    ['an unknown error', () => new Error('table payments-secret is on fire')],
    ['an error with fields', () => Object.assign(new Error('secret'), { statusCode: 418, code: 'SECRET' })],
    [
      'an error that looks like one of the API',
      () => Object.assign(new Error('secret'), { name: 'ApiError', status: 200 }),
    ],
  ];

  test.each(failures)('%s', async (_, failure) => {
    const lines = captureLogs();
    const handler = endpoint(route, allow, async () => {
      throw failure();
    });
    const answer = await invoke(handler, gatewayEvent());
    expect(answer.statusCode).toBe(500);
    expect(answer.headers).toMatchObject({ 'Content-Type': 'application/problem+json', 'X-Request-Id': 'request-1' });
    expect(problemOf(answer).code).toBe('INTERNAL_ERROR');
    expect(JSON.stringify(answer)).not.toMatch(/secret|payments/i);
    expect(lines.map(({ level }) => level)).toEqual(['error']);
  });

  test('an answer that does not fit its own contract', async () => {
    const lines = captureLogs();
    const unnamed = { ...route, body: noBody, pathParameters: noPathParameters };
    const handler = endpoint({ ...unnamed, success: { status: 202, body: z.unknown() } }, allow, async () => ({
      body: 1,
    }));
    expect((await invoke(handler, gatewayEvent())).statusCode).toBe(202);

    const strict = z.object({ txHash: z.string().check(z.maxLength(1)) });
    const wrong = endpoint({ ...unnamed, success: { status: 202, body: strict } }, allow, async () => ({
      body: { txHash: 'too long' },
    }));
    const answer = await invoke(wrong, gatewayEvent());
    expect(answer.statusCode).toBe(500);
    expect(problemOf(answer).code).toBe('INTERNAL_ERROR');
    expect(answer.body).not.toContain('too long');
    expect(lines.map(({ level }) => level)).toEqual(['info', 'error']);
  });

  test('the authorisation fails', async () => {
    captureLogs();
    const handler = endpoint(route, { ...allow, authorise: () => Promise.reject(new Error('DynamoDB')) }, echo);
    expect(problemOf(await invoke(handler, gatewayEvent())).code).toBe('INTERNAL_ERROR');
  });

  test.each([[undefined], [null], [{}], ['event'], [{ requestContext: {} }]])(
    'an event that is none: %j',
    async (event) => {
      captureLogs();
      const answer = await invoke(endpoint(route, allow, echo), event);
      expect(answer.statusCode).toBe(500);
      expect(problemOf(answer)).toMatchObject({ code: 'INTERNAL_ERROR', requestId: 'unknown' });
    },
  );
});

describe('one line per request', () => {
  const requestContext = { ...authorized(4_000_000_000), extendedRequestId: 'extended-1' };
  const known = { requestId: 'request-1', extendedRequestId: 'extended-1', route: 'do-thing', clientId: CLIENT };
  const ofPath = { userId: USER, operationId: OPERATION };
  const served = async (useCase: UseCase<typeof route>, differences: Record<string, unknown> = {}) => {
    const lines = captureLogs();
    await invoke(endpoint(route, allow, useCase), gatewayEvent({ requestContext, ...differences }));
    expect(lines).toHaveLength(1);
    return lines[0];
  };
  const milliseconds = expect.any(Number);

  test('of a success: who asked for what, what was made, and how it was answered', async () => {
    const made = await served(async () => ({ body: { txHash: 'x' }, ids: { payinId: 'payin-1' } }));
    const fields = { ...known, ...ofPath, payinId: 'payin-1', status: 202, milliseconds };
    expect(made).toEqual({ level: 'info', code: 'REQUEST_SERVED', fields });
  });

  test('of an error that has ids', async () => {
    const refuse = async () => {
      throw new ApiError(apiErrors.INVALID_CLIENT, { ids: { clientId: OPERATION } });
    };
    const lines = captureLogs();
    const answer = await invoke(endpoint({ ...route, access: 'public' }, allow, refuse), gatewayEvent());
    expect(lines[0]?.fields).toMatchObject({ error: 'INVALID_CLIENT', clientId: OPERATION });
    expect(answer.body).not.toContain(OPERATION);
  });

  test('lines that are logged meanwhile have the same fields of the request', async () => {
    const lines = captureLogs();
    const handler = endpoint(route, allow, async () => {
      log.warn('NOTICED', { count: 1 });
      return { body: { txHash: 'x' } };
    });
    await invoke(handler, gatewayEvent({ requestContext }));
    expect(lines[0]).toEqual({ level: 'warn', code: 'NOTICED', fields: { ...known, ...ofPath, count: 1 } });
  });

  test('of a call that runs out of time: the client and the log still hear of it, before the function is stopped', async () => {
    const lines = captureLogs();
    const handler = endpoint(route, allow, () => new Promise(() => {}));
    const answer = await handler(gatewayEvent({ requestContext }), { ...context, getRemainingTimeInMillis: () => 20 });
    expect(problemOf(answer)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', requestId: 'request-1' });
    const fields = { ...known, ...ofPath, status: 500, error: 'INTERNAL_ERROR', milliseconds };
    const cause = expect.stringMatching(/^TimeoutError/);
    expect(lines).toEqual([{ level: 'error', code: 'REQUEST_FAILED', fields: { ...fields, cause } }]);
  });

  test('the client is the one of the token, even one that has expired, and never the one of the path', async () => {
    const expired = { ...requestContext, ...authorized(1) };
    expect((await served(echo, { requestContext: expired }))?.fields).toMatchObject({ clientId: CLIENT, status: 401 });

    const lines = captureLogs();
    const ofClient = { ...route, pathParameters: z.object({ clientId: id }) };
    const handler = endpoint(ofClient, allow, async () => ({ body: { txHash: 'x' } }));
    await invoke(handler, gatewayEvent({ pathParameters: { clientId: OPERATION } }));
    expect(lines[0]?.fields).toMatchObject({ clientId: CLIENT });
  });

  test('nothing of the body, the query, the headers, or a path that names nothing', async () => {
    const line = await served(echo, {
      body: '{"txHash":"secret"}',
      queryStringParameters: { reference: 'secret' },
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret' },
    });
    expect(JSON.stringify(line)).not.toContain('secret');
    const lost = await served(echo, { pathParameters: { user_id: 'secret', operation_id: OPERATION } });
    expect(JSON.stringify(lost)).not.toContain('secret');
  });

  test('nothing of a path that is not shaped like an id, where the contract takes any text for one', async () => {
    const lines = captureLogs();
    const ofAnything = { ...route, pathParameters: z.object({ user_id: id, webhook_id: z.string() }) };
    const pathParameters = { user_id: USER, webhook_id: 'María@secret.example' };
    await invoke(endpoint(ofAnything, allow, echo), gatewayEvent({ pathParameters }));
    expect(lines[0]?.fields).toMatchObject({ userId: USER });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
