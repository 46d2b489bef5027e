import { describe, expect, test } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { gatewayEvent, invoke } from '#test/support/gateway.ts';
import { publicList } from '#test/support/public-list.ts';

function read(things: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const handler = publicEndpoint(publicList, systemClock, async () => ({ body: [...things] }));
  return invoke(handler, gatewayEvent({ httpMethod: 'GET', headers, body: null }));
}

async function tagOf(things: readonly string[]): Promise<string> {
  return String((await read(things)).headers?.['ETag']);
}

describe('decisions 6: an answer that may be kept', () => {
  test('says so, has a tag, and is otherwise what it would be', async () => {
    expect(await read(['a'])).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': 'public, max-age=300',
        ETag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
        Vary: 'Accept-Encoding',
        'Strict-Transport-Security': 'max-age=31536000',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': 'request-1',
      },
      body: '["a"]',
    });
  });

  test('is kept by nobody when it is an error', async () => {
    captureLogs();
    const handler = publicEndpoint(publicList, systemClock, async () => {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE);
    });
    const answer = await invoke(handler, gatewayEvent({ headers: { 'If-None-Match': '*' } }));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'Cache-Control': 'no-store' });
    expect(answer.headers).not.toHaveProperty('ETag');
  });
});

describe('decisions 6: a conditional request', () => {
  const ifNoneMatch = async (write: (tag: string) => string) =>
    read(['a'], { 'If-None-Match': write(await tagOf(['a'])) });

  test('for what the caller has gets 304 without a body, with the tag and how long to keep it', async () => {
    const answer = await ifNoneMatch((tag) => tag);
    expect(answer).toEqual({
      statusCode: 304,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': 'public, max-age=300',
        ETag: await tagOf(['a']),
        Vary: 'Accept-Encoding',
        'Strict-Transport-Security': 'max-age=31536000',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': 'request-1',
      },
      body: '',
    });
  });

  test.each<[string, (tag: string) => string]>([
    ['a list of tags', (tag) => `"other", ${tag}`],
    ['a list without spaces', (tag) => `"other",${tag},"third"`],
    ['a strong tag', (tag) => tag.replace('W/', '')],
    ['a list of which some are weak', (tag) => `"other", W/"third", ${tag}`],
    ['a list in which a tag has a comma', (tag) => `"a,b", ${tag}`],
    ['*', () => '*'],
    ['* with spaces', () => ' * '],
  ])('matches by %s', async (_, write) => {
    expect((await ifNoneMatch(write)).statusCode).toBe(304);
  });

  test.each<[string, (tag: string) => string]>([
    ['another tag', () => '"other"'],
    ['nothing', () => ''],
    ['the tag without its quotes', (tag) => tag.replaceAll('"', '')],
    ['a part of the tag', (tag) => `${tag.slice(0, -5)}"`],
    ['a tag that is *', () => '"*"'],
    ['the tag in another case', (tag) => (tag === tag.toLowerCase() ? tag.toUpperCase() : tag.toLowerCase())],
  ])('does not match by %s', async (_, write) => {
    expect(await ifNoneMatch(write)).toMatchObject({ statusCode: 200, body: '["a"]' });
  });

  test('finds the header whatever its case', async () => {
    expect((await read(['a'], { 'if-none-match': await tagOf(['a']) })).statusCode).toBe(304);
  });
});
