import { describe, expect, inject, test } from 'vitest';
import { getDocsContract, getOpenapiContract } from '#shared/docs/docs-contract.ts';
import { listBanksContract, listTokensContract } from '#shared/parameters/parameter-contract.ts';

const asset = `${getDocsContract.path}/errors/NOT_FOUND.html`;
const paths = [listBanksContract.path, listTokensContract.path, getOpenapiContract.path, getDocsContract.path, asset];

/** A call that the published contract does not describe. */
async function answerTo(method: string, path: string, headers: Record<string, string> = {}) {
  const {
    status,
    headers: answered,
    ...response
  } = await fetch(`${inject('outputs').baseUrl}${path}`, {
    method,
    headers,
  }).then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
  return { status, ...response, header: (name: string) => answered.get(name) };
}

describe('decisions 6: public reads', () => {
  test.each(paths)('%s answers HEAD with the status and the headers of GET', async (path) => {
    const [get, head] = [await answerTo('GET', path), await answerTo('HEAD', path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(get.text).not.toBe('');
    for (const name of ['content-type', 'cache-control', 'etag', 'access-control-allow-origin']) {
      expect(head.header(name)).toBe(get.header(name));
    }
  });

  test.each(paths)('%s may be read by scripts of any origin', async (path) => {
    const origin = { Origin: 'https://app.example' };
    expect((await answerTo('GET', path, origin)).header('access-control-allow-origin')).toBe('*');
    const preflight = await answerTo('OPTIONS', path, {
      ...origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    });
    expect([preflight.status, preflight.text]).toEqual([204, '']);
    expect(preflight.header('access-control-allow-origin')).toBe('*');
    expect(preflight.header('access-control-allow-methods')).toBe('GET, HEAD');
    expect(preflight.header('access-control-allow-headers')).toBe('*, Authorization');
    expect(preflight.header('access-control-max-age')).toBe('86400');
  });

  test.each(['HEAD', 'OPTIONS'])('alone answer %s', async (method) => {
    for (const path of ['/api/infoClient', '/api/token', '/api/v1/admin/banks', '/api/nothing']) {
      expect((await answerTo(method, path)).status).toBe(404);
    }
  });
});
