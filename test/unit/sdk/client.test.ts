import { describe, expect, test } from 'vitest';
import { type ApiErrorCode, declaredErrors } from '#infra/api/openapi/declared-errors.ts';
import { connect } from '#sdk/connect.ts';
import { itemsOf, pagesOf } from '#sdk/pages.ts';
import type { Route } from '#sdk/routes.ts';
import { verifyWebhook } from '#sdk/verify-webhook.ts';
import { problemFor } from '#shared/platform/http/answer.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import { scriptedServer } from '#test/support/scripted-server.ts';

type Answers = Parameters<typeof scriptedServer>[0];

const DOCS = 'https://docs.example.com';
const tokenAnswer = (token: string) => ({
  status: 200,
  body: { access_token: token, token_type: 'Bearer', expires_in: 300 },
});
const done = { status: 200, body: { id: 'done' } };
const refuse = (code: ApiErrorCode, headers: Record<string, string> = {}) => ({
  status: declaredErrors[code].status,
  headers,
  body: problemFor(declaredErrors[code], 'request-1', DOCS),
});

/** A client of a server that answers in order, and what it was asked. */
async function connected(...answers: Answers) {
  const server = await scriptedServer(answers);
  const clock = fakeClock('2026-08-01T12:00:00Z');
  const credentials = { clientId: CLIENT, clientSecret: 'secret' };
  const call = connect({ baseUrl: server.baseUrl, credentials, clock });
  return { call, clock, received: server.received, baseUrl: server.baseUrl };
}

const order = { amount: 15_000, currency: 'COP' as const };
const payin = { path: { user_id: USER }, body: order };
const ofOperation = { path: { user_id: USER, operation_id: OPERATION } };
const CANCEL = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel';
const HASH = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';
const PAYIN = 'POST /api/v1/admin/fiats/{user_id}/payin';

describe('a call', () => {
  test('fills the path, the query, the headers and the body, and returns status, headers and body', async () => {
    const { call, received } = await connected(tokenAnswer('a.b.c'), done, {
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { id: 'created' },
    });
    await call('GET /api/v1/admin/fiats/{user_id}/payin', {
      path: { user_id: 'a/b' },
      query: { externalReference: 'ä&b', limit: 5, cursor: undefined },
    });
    const created = await call(PAYIN, { ...payin, header: { 'Idempotency-Key': 'order-1' } });
    expect(received.slice(1)).toEqual([
      {
        call: 'GET /api/v1/admin/fiats/a%2Fb/payin?externalReference=%C3%A4%26b&limit=5',
        authorization: 'Bearer a.b.c',
        idempotencyKey: undefined,
        body: '',
      },
      {
        call: `POST /api/v1/admin/fiats/${USER}/payin`,
        authorization: 'Bearer a.b.c',
        idempotencyKey: 'order-1',
        body: JSON.stringify(order),
      },
    ]);
    expect(created).toMatchObject({ status: 201, body: { id: 'created' } });
    expect(created.headers.get('idempotency-replayed')).toBe('true');
  });

  test('goes to the same path, whether the address of the service ends with a slash or not', async () => {
    const { baseUrl, received } = await connected(done);
    await connect({ baseUrl: `${baseUrl}/` })('GET /api/parameters/banks');
    expect(received.map(({ call }) => call)).toEqual(['GET /api/parameters/banks']);
  });

  test.each(['', '.', '..'])('with %j for an id is not sent: its path would be that of another route', async (id) => {
    const { call, received } = await connected(tokenAnswer('a.b.c'), done, done);
    const read = call('GET /api/v1/events/{event_id}', { path: { event_id: id } });
    await expect(read).rejects.toThrow(`event_id ${JSON.stringify(id)}`);
    const list = call('GET /api/v1/admin/fiats/{user_id}/payin/{payin_id}', { path: { user_id: USER, payin_id: id } });
    await expect(list).rejects.toThrow(RangeError);
    expect(received.map(({ call }) => call)).toEqual(['POST /api/v1/client/token']);
  });

  test('of a route for anyone needs no credentials, and of another one cannot do without', async () => {
    const { baseUrl, received } = await connected({ status: 200, body: [] });
    const call = connect({ baseUrl });
    expect((await call('GET /api/parameters/banks')).body).toEqual([]);
    expect(received[0]?.authorization).toBeUndefined();
    await expect(call('GET /api/infoClient')).rejects.toThrow('credentials');
  });

  test('of a route that there is not, which no compiler has seen, says so and sends nothing', async () => {
    const { call, received } = await connected();
    await expect(call('GET /api/infoclient' as Route)).rejects.toThrow('There is no route GET /api/infoclient. ');
    expect(received).toEqual([]);
  });

  test('that asks for what has changed gets 304 without a body when nothing has', async () => {
    const { call } = await connected({ status: 304 });
    const answer = await call('GET /api/parameters/tokens', { header: { 'If-None-Match': '"x"' } });
    expect([answer.status, answer.body]).toEqual([304, undefined]);
  });

  test('follows no redirect: its secret, token and order are for the service alone', async () => {
    const elsewhere = await scriptedServer([tokenAnswer('a.b.c'), done]);
    const headers = { Location: `${elsewhere.baseUrl}/api/v1/client/token` };
    const { call, received } = await connected({ status: 307, headers });
    await expect(call('GET /api/infoClient')).rejects.toMatchObject({ name: 'ApiProblem', status: 307 });
    expect([received.length, elsewhere.received]).toEqual([1, []]);
  });
});

describe('the access token', () => {
  test('is obtained once for calls at the same time and after one another', async () => {
    const { call, received, clock } = await connected(tokenAnswer('one'), done, done, done);
    await Promise.all([call('GET /api/infoClient'), call('GET /api/infoClient')]);
    clock.advance(269);
    await call('GET /api/infoClient');
    expect(received.map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Bearer one',
      'Bearer one',
      'Bearer one',
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ client_id: CLIENT, client_secret: 'secret' });
  });

  test('is renewed half a minute before its five minutes end', async () => {
    const { call, received, clock } = await connected(tokenAnswer('one'), done, tokenAnswer('two'), done);
    await call('GET /api/infoClient');
    clock.advance(270);
    await call('GET /api/infoClient');
    expect(received.map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Bearer one',
      undefined,
      'Bearer two',
    ]);
  });

  test('that is refused is renewed once, and the call repeated, whatever it is', async () => {
    const { call, received } = await connected(tokenAnswer('one'), refuse('UNAUTHORIZED'), tokenAnswer('two'), {
      ...done,
      status: 200,
    });
    await call(CANCEL, ofOperation);
    expect(received.map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Bearer one',
      undefined,
      'Bearer two',
    ]);
  });

  test('that is refused to several calls at once is renewed for all of them together', async () => {
    const refused = refuse('UNAUTHORIZED');
    const { call, received } = await connected(tokenAnswer('one'), refused, refused, tokenAnswer('two'), done, done);
    await Promise.all([call('GET /api/infoClient'), call('GET /api/infoClient')]);
    expect(received.filter(({ call }) => call === 'POST /api/v1/client/token')).toHaveLength(2);
  });

  test('that cannot be obtained fails the call, and is asked for again by the next one', async () => {
    const { call } = await connected(refuse('INVALID_CLIENT'), tokenAnswer('one'), done);
    expect(await expectProblem(call('GET /api/infoClient'))).toMatchObject({ status: 401, code: 'INVALID_CLIENT' });
    expect((await call('GET /api/infoClient')).body.id).toBe('done');
  });
});

describe('what is tried again', () => {
  const proxyError = { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' };

  test.each<[string, Answers[number]]>([
    ['a connection that was lost', 'reset'],
    ['429', refuse('TOO_MANY_REQUESTS')],
    ['500', refuse('INTERNAL_ERROR')],
    ['503', refuse('SERVICE_UNAVAILABLE')],
    ['504', { status: 504, body: '' }],
    ['502 of a proxy', proxyError],
  ])('a read after %s', async (_, failure) => {
    const { call, received, clock } = await connected(tokenAnswer('one'), failure, done);
    expect((await call('GET /api/infoClient')).status).toBe(200);
    expect(received).toHaveLength(3);
    expect(clock.pauses).toEqual([250]);
  });

  test('the same hash, and a DELETE', async () => {
    const { call } = await connected(tokenAnswer('one'), 'reset', { ...done, status: 202 }, 'reset', done);
    expect((await call(HASH, { ...ofOperation, body: { txHash: '0x' } })).status).toBe(202);
    const webhook = { path: { clientId: CLIENT, webhook_id: OPERATION } };
    expect((await call('DELETE /api/webhooks/{clientId}/{webhook_id}', webhook)).status).toBe(200);
  });

  test('what takes an Idempotency-Key, under one key that the client makes', async () => {
    const inProgress = refuse('IDEMPOTENCY_IN_PROGRESS');
    const { call, received } = await connected(tokenAnswer('one'), 'reset', inProgress, { ...done, status: 201 }, done);
    await call(PAYIN, payin);
    const [key, ...others] = received.slice(1).map(({ idempotencyKey }) => idempotencyKey);
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([key, key]);
    await call(PAYIN, { ...payin, header: { 'Idempotency-Key': undefined } });
    expect(received.at(-1)?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(received.at(-1)?.idempotencyKey).not.toBe(key);
  });

  test('under the key that was given, however the name of its header is written', async () => {
    const { call, received } = await connected(tokenAnswer('one'), 'reset', { ...done, status: 201 });
    const header = JSON.parse('{"idempotency-key": "order-1"}');
    await call(PAYIN, { ...payin, header });
    expect(received.slice(1).map(({ idempotencyKey }) => idempotencyKey)).toEqual(['order-1', 'order-1']);
  });

  test('whatever came too fast, because nothing has been done by it', async () => {
    const { call, received } = await connected(tokenAnswer('one'), refuse('TOO_MANY_REQUESTS'), done);
    expect((await call(CANCEL, ofOperation)).status).toBe(200);
    expect(received).toHaveLength(3);
  });

  test('a read that got no answer in time', async () => {
    const signals: unknown[] = [];
    const fetch = async (_: string, { signal }: RequestInit) => {
      signals.push(signal);
      if (signals.length === 1) throw new DOMException('It took too long.', 'TimeoutError');
      return Response.json([]);
    };
    const call = connect({ baseUrl: '', fetch, clock: fakeClock('2026-08-01T12:00:00Z') });
    expect((await call('GET /api/parameters/banks')).body).toEqual([]);
    expect(signals).toEqual([expect.any(AbortSignal), expect.any(AbortSignal)]);
  });

  test('four times at most, with pauses that grow; then it ends as the last try did', async () => {
    const failure = refuse('SERVICE_UNAVAILABLE');
    const { call, received, clock } = await connected(tokenAnswer('one'), failure, failure, 'reset', failure, done);
    expect(await expectProblem(call('GET /api/infoClient'))).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(received).toHaveLength(5);
    expect(clock.pauses).toEqual([250, 500, 1000]);
  });

  test('a connection that stays lost ends as what fetch threw', async () => {
    const { call } = await connected('reset', 'reset', 'reset', 'reset');
    await expect(call('GET /api/infoClient')).rejects.toThrow(TypeError);
  });

  test.each([
    ['7', [7125]],
    ['60', [60_125]],
    ['61', []],
    ['Sat, 01 Aug 2026 12:00:07 GMT', [7125]],
    ['Sat, 01 Aug 2026 12:01:01 GMT', []],
    ['Sat, 01 Aug 2026 11:59:00 GMT', [125]],
    ['soon', [125]],
  ])(
    'not before Retry-After (%s), in seconds or a time, and jittered; not at all if that is more than a minute ahead',
    async (asked, pauses) => {
      const refusal = refuse('TOO_MANY_REQUESTS', { 'Retry-After': asked });
      const { baseUrl } = await connected(refusal, { status: 200, body: [] });
      const clock = fakeClock('2026-08-01T12:00:00Z', () => 0);
      const call = connect({ baseUrl, clock })('GET /api/parameters/banks');
      await (pauses.length > 0 ? call : expectProblem(call));
      expect(clock.pauses).toEqual(pauses);
    },
  );
});

test('another fetch, of which it needs status, headers and text', async () => {
  const answer = { status: 200, headers: new Map([['etag', '"1"']]), text: async () => '[]' };
  const { headers, body } = await connect({ baseUrl: 'https://nowhere.example', fetch: async () => answer })(
    'GET /api/parameters/banks',
  );
  expect([headers.get('ETag'), body]).toEqual(['"1"', []]);
});

describe('what is not tried again', () => {
  test.each<[string, Answers[number]]>([
    ['a connection that was lost', 'reset'],
    ['500', refuse('INTERNAL_ERROR')],
    ['503', refuse('SERVICE_UNAVAILABLE')],
    ['504', { status: 504, body: '' }],
  ])('a POST that could happen twice, after %s', async (_, failure) => {
    const { call, received } = await connected(tokenAnswer('one'), failure, done);
    await expect(call(CANCEL, ofOperation)).rejects.toThrow();
    expect(received).toHaveLength(2);
  });

  test.each<ApiErrorCode>(['RAIL_REJECTED', 'VALIDATION_FAILED', 'USER_NOT_FOUND'])(
    'what the service has decided: %s',
    async (code) => {
      const { call, received } = await connected(tokenAnswer('one'), refuse(code), done);
      expect((await expectProblem(call(PAYIN, payin))).code).toBe(code);
      expect(received).toHaveLength(2);
    },
  );

  test('what the program did wrong', async () => {
    const wrong = new RangeError('not a network failure');
    let tries = 0;
    const fetch = () => {
      tries += 1;
      throw wrong;
    };
    await expect(connect({ baseUrl: '', fetch })('GET /api/parameters/banks')).rejects.toBe(wrong);
    expect(tries).toBe(1);
  });
});

describe('an error is thrown as an ApiProblem', () => {
  test('with status, code, detail, request id and each value that was not acceptable', async () => {
    const errors = [{ path: 'body.amount', code: 'REQUIRED', message: 'is required' }];
    const body = problemFor(declaredErrors.VALIDATION_FAILED, 'request-7', DOCS, invalid(...errors));
    const { call } = await connected(tokenAnswer('one'), { status: 422, body });
    const problem = await expectProblem(call(PAYIN, payin));
    expect(problem).toMatchObject({ name: 'ApiProblem', status: 422, code: 'VALIDATION_FAILED', errors });
    expect(problem).toMatchObject({ detail: body.detail, requestId: 'request-7' });
    const route: Route = PAYIN;
    expect(problem.message).toBe(`${route} was answered with 422 VALIDATION_FAILED: ${body.detail}`);
  });

  test.each([
    ['HTML', '<h1>Not here</h1>'],
    ['another JSON', '{"code":404,"detail":"Not here","requestId":"x"}'],
    ['nothing', ''],
  ])('without a code when something in between answered %s', async (_, body) => {
    const { call } = await connected({ status: 404, headers: { 'X-Request-Id': 'request-8' }, body });
    const problem = await expectProblem(call('GET /api/parameters/banks'));
    expect(problem).toMatchObject({ status: 404, code: undefined, requestId: 'request-8', errors: [] });
  });
});

test('a success that is not of the service is an ApiProblem, too: the page of a proxy or a portal, or half an answer', async () => {
  const page = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Sign in</h1>' };
  const { call } = await connected(page, { status: 200, body: '[{"id":' });
  for (const route of ['GET /api/parameters/banks', 'GET /api/parameters/tokens'] as const)
    expect(await expectProblem(call(route))).toMatchObject({ status: 200, code: undefined });
});

describe('a list that comes in pages', () => {
  const pages = [
    { status: 200, body: { payins: [{ id: 'one' }], nextCursor: 'a&b' } },
    { status: 200, body: { payins: [], nextCursor: 'c' } },
    { status: 200, body: { payins: [{ id: 'two' }, { id: 'three' }] } },
  ];
  const everyOf = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
    const found: Item[] = [];
    for await (const item of items) found.push(item);
    return found;
  };
  const LIST = 'GET /api/v1/admin/fiats/{user_id}/payin';

  test('is read item by item to its last page, empty ones too, with the query of the first', async () => {
    const { call, received } = await connected(tokenAnswer('one'), ...pages);
    const items = itemsOf(call, LIST, { path: { user_id: USER }, query: { limit: 1 } });
    expect((await everyOf(items)).map(({ id }) => id)).toEqual(['one', 'two', 'three']);
    const queries = ['limit=1', 'limit=1&cursor=a%26b', 'limit=1&cursor=c'];
    const path = `/api/v1/admin/fiats/${USER}/payin`;
    expect(received.slice(1).map((one) => one.call)).toEqual(queries.map((query) => `GET ${path}?${query}`));
  });

  test('is read no further than its reader goes, and ends where the service says that there is no more', async () => {
    const last = { status: 200, body: { payins: [], nextCursor: 'later', hasMore: false } };
    const { call, received } = await connected(tokenAnswer('one'), ...pages.slice(0, 1), last);
    for await (const { id } of itemsOf(call, LIST, { path: { user_id: USER } })) if (id === 'one') break;
    expect(received).toHaveLength(2);
    expect(await everyOf(pagesOf(call, LIST, { path: { user_id: USER } }))).toEqual([last.body]);
  });
});

test('a webhook whose body is already parsed is refused with what its receiver has to change', () => {
  const parsed: string = JSON.parse('{"id":"one"}');
  expect(() => verifyWebhook('whsec_c2VjcmV0', {}, parsed)).toThrow('let nothing parse it before');
});
