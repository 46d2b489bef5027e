import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { accessToken, demoClient, hashPath, problemOf, send } from '#test/support/http-client.ts';

const client = demoClient('demo');
const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
const someHash = hashPath(randomUUID(), randomUUID());

function post(path: string, body: string, contentType: string, headers: Record<string, string> = {}) {
  return send('POST', path, { body, headers: { 'Content-Type': contentType, ...headers } });
}

describe('decisions 1: token request', () => {
  test.each(['/api/v1/client/token', '/api/token'])('%s exchanges credentials in JSON', async (path) => {
    const answer = await post(
      path,
      JSON.stringify({ ...credentials, grant_type: 'client_credentials' }),
      'application/json',
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const token = issueTokenContract.success.body.parse(JSON.parse(answer.text));
    const claims = decodeJwt(token.access_token);
    expect(claims.sub).toBe(client.clientId);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
    expect(decodeProtectedHeader(token.access_token)).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
  });

  test('HTTP Basic is accepted', async () => {
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    expect((await send('POST', '/api/token', { headers: { Authorization: `Basic ${basic}` } })).status).toBe(200);
  });

  test.each([
    ['a wrong secret', { client_secret: 'x' }, 401, 'INVALID_CLIENT', 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'UNSUPPORTED_GRANT_TYPE', 'unsupported_grant_type'],
    ['no secret', { client_secret: undefined }, 400, 'INVALID_REQUEST', 'invalid_request'],
  ])(
    'RFC 6749 5.2: %s is a problem and an OAuth error, on both routes, in JSON and a form',
    async (_, change, status, code, error) => {
      const fields: Record<string, string> = JSON.parse(JSON.stringify({ ...credentials, ...change }));
      for (const path of ['/api/v1/client/token', '/api/token']) {
        for (const answer of [
          await post(path, JSON.stringify(fields), 'application/json'),
          await post(path, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded'),
        ]) {
          const problem = problemOf(answer);
          expect(problem).toMatchObject({ status, code, error, error_description: problem.detail });
          expect(answer.status).toBe(status);
          expect(answer.headers.get('content-type')).toBe('application/json');
        }
      }
    },
  );
});

describe('decisions 1: missing, malformed, expired or forged tokens are 401 UNAUTHORIZED', () => {
  const now = Math.floor(Date.now() / 1000);
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  async function forged(change: Record<string, unknown> = {}): Promise<string> {
    const ours = await accessToken(client);
    const header = { ...decodeProtectedHeader(ours), alg: 'ES256' };
    return new SignJWT({ ...decodeJwt(ours), ...change }).setProtectedHeader(header).sign(stranger);
  }

  test.each<[string, () => Promise<string | undefined>]>([
    ['no header', async () => undefined],
    ['garbage', async () => 'Bearer a.b.c'],
    ['another key', async () => `Bearer ${await forged()}`],
    ['an expired token', async () => `Bearer ${await forged({ iat: now - 600, exp: now - 300 })}`],
    [
      'a changed subject under our signature',
      async () => {
        const [header, , signature] = (await accessToken(client)).split('.');
        const claims = { ...decodeJwt(await accessToken(client)), sub: demoClient('second').clientId };
        return `Bearer ${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
      },
    ],
  ])('%s', async (_, authorization) => {
    const value = await authorization();
    const answer = await send('GET', someHash, value === undefined ? {} : { headers: { Authorization: value } });
    expect(problemOf(answer)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});
