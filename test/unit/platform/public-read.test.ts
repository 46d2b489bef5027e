import { describe, expect, test } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { type Access, methodsAndPathsOf } from '#shared/platform/http/contract.ts';
import { endpoint } from '#shared/platform/http/endpoint.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';
import { publicList } from '#test/support/public-list.ts';

const anyone = { authorise: async () => {}, clock: systemClock };

function call(httpMethod: string, { access = 'public' as Access, headers = {} } = {}) {
  const handler = endpoint({ ...publicList, access }, anyone, async () => ({ body: ['a'] }));
  return invoke(handler, gatewayEvent({ httpMethod, headers, body: null }));
}

describe('decisions 6: public reads answer HEAD and OPTIONS', () => {
  test('under each of their paths; no other route does', () => {
    expect(methodsAndPathsOf(publicList).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/things',
      'HEAD /api/things',
      'OPTIONS /api/things',
      'GET /api/all-things',
      'HEAD /api/all-things',
      'OPTIONS /api/all-things',
    ]);
    for (const other of [
      { ...publicList, access: 'client' as const },
      { ...publicList, method: 'POST' as const },
    ]) {
      expect(new Set(methodsAndPathsOf(other).map(({ method }) => method))).toEqual(new Set([other.method]));
    }
  });

  test('HEAD with the headers of GET and no body', async () => {
    captureLogs();
    const [get, head] = [await call('GET'), await call('HEAD')];
    expect(get.body).toBe('["a"]');
    expect(head).toEqual({ ...get, body: '' });
  });

  test('HEAD with 304 to those who have it', async () => {
    captureLogs();
    const tag = String((await call('GET')).headers?.['ETag']);
    expect((await call('HEAD', { headers: { 'If-None-Match': tag } })).statusCode).toBe(304);
  });

  test('OPTIONS without asking for anything: a day for any header, Authorization too, and nothing to keep', async () => {
    const lines = captureLogs();
    const failing = async () => {
      throw new Error('asked');
    };
    const answer = await invoke(endpoint(publicList, anyone, failing), gatewayEvent({ httpMethod: 'OPTIONS' }));
    expect(answer).toMatchObject({ statusCode: 204, body: '' });
    expect(answer.headers).toMatchObject({
      Allow: 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': '*, Authorization',
      'Access-Control-Max-Age': '86400',
      'Cache-Control': 'no-store',
    });
    expect(answer.headers).not.toHaveProperty('ETag');
    expect(lines[0]).toMatchObject({ code: 'REQUEST_SERVED', fields: { status: 204 } });
  });
});

describe('decisions 6: scripts of any origin', () => {
  test('see why it was refused, or that it failed; HEAD without a body', async () => {
    captureLogs();
    for (const failure of [new ApiError(apiErrors.NOT_FOUND), new Error('on fire')]) {
      const handler = endpoint(publicList, anyone, async () => {
        throw failure;
      });
      const answer = await invoke(handler, gatewayEvent({ httpMethod: 'GET' }));
      expect(answer.headers?.['Access-Control-Allow-Origin']).toBe('*');
      expect(problemOf(answer).status).toBe(answer.statusCode);
      const head = await invoke(handler, gatewayEvent({ httpMethod: 'HEAD' }));
      expect(head).toEqual({ ...answer, body: '' });
    }
  });
});

describe('decisions 14, versions: every answer of a route that is going to end says so', () => {
  test.each([
    ['a success', 200, async () => ({ body: ['a'] })],
    [
      'an error',
      404,
      async () => {
        throw new ApiError(apiErrors.NOT_FOUND);
      },
    ],
  ])('%s', async (_, statusCode, useCase) => {
    captureLogs();
    const ending = { ...publicList, deprecated: { since: '2027-01-01', sunset: '2027-07-01' } as const };
    expect(
      await invoke(endpoint(ending, anyone, useCase), gatewayEvent({ httpMethod: 'GET', body: null })),
    ).toMatchObject({
      statusCode,
      headers: { Deprecation: '@1798761600', Sunset: 'Thu, 01 Jul 2027 00:00:00 GMT' },
    });
  });
});
