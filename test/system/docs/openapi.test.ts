import { describe, expect, inject, test } from 'vitest';
import { send } from '#test/support/http-client.ts';
import { differenceFromContract, openApiText } from '#test/support/openapi.ts';

const path = '/api/openapi.json';

describe('the published contract', () => {
  test('is public, and may be cached for five minutes', async () => {
    const answer = await send('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    const { baseUrl } = inject('outputs');
    const here = openApiText.replace('"tokenUrl": "', `"tokenUrl": "${baseUrl}`);
    const described = JSON.parse(here);
    const externalDocs = { ...described.externalDocs, url: `${baseUrl}/api/docs` };
    expect(JSON.parse(answer.text)).toEqual({ ...described, externalDocs, servers: [{ url: baseUrl }] });
  });

  test('is not sent again to those who have it', async () => {
    const first = await send('GET', path);
    const second = await send('GET', path, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
    expect([second.status, second.text]).toEqual([304, '']);
  });

  test('binds what has no route, too: a problem', async () => {
    const answer = await send('GET', '/api/nothing');
    expect(answer.status).toBe(404);
    expect(differenceFromContract('GET', '/api/nothing', { ...answer, headers: new Headers() })).not.toBe('');
  });
});
