import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { base64url } from 'jose';
import { describe, expect, test } from 'vitest';
import { signAccessToken, verifyAuthorization } from '#shared/clients/access-token.ts';
import type { SignBytes } from '#shared/platform/aws/kms.ts';
import { CLIENT } from '#test/support/ids.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const issuer = { issuer: 'https://issuer.test', audience: 'payments-api', keyId: 'key-1' };

const signerWith =
  (key: KeyObject): SignBytes =>
  async (message) =>
    sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' });
const signer = signerWith(privateKey);

const ours = (now = new Date()) => signAccessToken(issuer, CLIENT, now, 'token-1', signer);
const verify = (header: string) => verifyAuthorization(header, issuer, publicKey, new Date());

const now = Math.floor(Date.now() / 1000);
const goodHeader = { alg: 'ES256', typ: 'JWT', kid: 'key-1' };
const goodClaims = {
  iss: issuer.issuer,
  aud: issuer.audience,
  sub: CLIENT,
  iat: now,
  exp: now + 300,
  jti: 'token-1',
};

/** A token with this header and these claims, with a valid signature. */
async function token(header: object, claims: object, signBytes: SignBytes = signer): Promise<string> {
  const signed = [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  return `${signed}.${base64url.encode(await signBytes(Buffer.from(signed)))}`;
}

const without = (name: keyof typeof goodClaims) => ({ ...goodClaims, [name]: undefined });

describe('decisions 1, access token: an issued token', () => {
  test('is accepted as its client until it expires', async () => {
    expect(await verify(`Bearer ${await ours(new Date(now * 1000))}`)).toEqual({
      clientId: CLIENT,
      expiresAtSeconds: now + 300,
    });
  });

  test('is a JWT of ES256 with issuer, audience, subject, times, id and key id', async () => {
    const issued = await ours(new Date('2026-08-01T12:00:00.987Z'));
    const [header, claims, signature] = issued.split('.').map((part) => Buffer.from(part, 'base64url'));
    expect(JSON.parse(String(header))).toEqual(goodHeader);
    const issuedAt = Date.parse('2026-08-01T12:00:00Z') / 1000;
    expect(JSON.parse(String(claims))).toEqual({ ...goodClaims, iat: issuedAt, exp: issuedAt + 300 });
    expect(signature).toHaveLength(64);
  });

  test('is valid for 5 minutes (interface 5.2)', async () => {
    const issuedAgo = (seconds: number) => ours(new Date(Date.now() - seconds * 1000));
    expect(await verify(`Bearer ${await issuedAgo(280)}`)).toBeDefined();
    expect(await verify(`Bearer ${await issuedAgo(320)}`)).toBeUndefined();
  });
});

describe('decisions 1, access token: nobody is let in', () => {
  test.each([
    ['another audience', { ...goodClaims, aud: 'another-api' }],
    ['another issuer', { ...goodClaims, iss: 'https://another.test' }],
    ['one that expired', { ...goodClaims, iat: now - 400, exp: now - 100 }],
    ['one that expired more than the leeway of 5 s ago', { ...goodClaims, exp: now - 10 }],
    ['one that is not valid yet', { ...goodClaims, nbf: now + 100 }],
    ['no issuer', without('iss')],
    ['no audience', without('aud')],
    ['no subject', without('sub')],
    ['no time of issue', without('iat')],
    ['no expiry', without('exp')],
    ['no id', without('jti')],
    ['an expiry that is no number', { ...goodClaims, exp: String(now + 300) }],
  ])('by a token with wrong claims: %s', async (_, claims) => {
    expect(await verify(`Bearer ${await token(goodHeader, claims)}`)).toBeUndefined();
  });

  test.each([
    ['another key id', { ...goodHeader, kid: 'key-2' }],
    ['no key id', { alg: 'ES256', typ: 'JWT' }],
    ['alg none', { ...goodHeader, alg: 'none' }],
    ['alg HS256', { ...goodHeader, alg: 'HS256' }],
    ['alg ES384', { ...goodHeader, alg: 'ES384' }],
    ['a critical extension that we do not know', { ...goodHeader, crit: ['x'], x: 1 }],
  ])('by a token with a wrong header: %s', async (_, header) => {
    expect(await verify(`Bearer ${await token(header, goodClaims)}`)).toBeUndefined();
  });

  test('by a token of alg none without a signature', async () => {
    const [header, claims] = (await token({ ...goodHeader, alg: 'none' }, goodClaims)).split('.');
    for (const signature of ['', '.', '.AA'])
      expect(await verify(`Bearer ${header}.${claims}${signature}`)).toBeUndefined();
  });

  test('by a token of HS256 that has our public key as its secret', async () => {
    const secret = publicKey.export({ type: 'spki', format: 'pem' });
    const hmac: SignBytes = async (message) => createHmac('sha256', secret).update(message).digest();
    expect(await verify(`Bearer ${await token({ ...goodHeader, alg: 'HS256' }, goodClaims, hmac)}`)).toBeUndefined();
  });

  test('by a signature of another key', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(await verify(`Bearer ${await token(goodHeader, goodClaims, signerWith(other))}`)).toBeUndefined();
  });

  test('by a key that comes with the token', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const header = { ...goodHeader, jwk: other.publicKey.export({ format: 'jwk' }) };
    expect(await verify(`Bearer ${await token(header, goodClaims, signerWith(other.privateKey))}`)).toBeUndefined();
  });

  test('by a signature in DER', async () => {
    const der: SignBytes = async (message) => sign('sha256', message, privateKey);
    expect(await verify(`Bearer ${await token(goodHeader, goodClaims, der)}`)).toBeUndefined();
  });

  test('by claims that were changed after signing', async () => {
    const [header, , signature] = (await token(goodHeader, goodClaims)).split('.');
    const changed = base64url.encode(JSON.stringify({ ...goodClaims, sub: 'another-client' }));
    expect(await verify(`Bearer ${header}.${changed}.${signature}`)).toBeUndefined();
  });

  const spellings: readonly (readonly [string, (good: string) => string])[] = [
    ['nothing', () => ''],
    ['no scheme', (good) => good],
    ['lower-case bearer', (good) => `bearer ${good}`],
    ['two spaces', (good) => `Bearer  ${good}`],
    ['a space before', (good) => ` Bearer ${good}`],
    ['a space after', (good) => `Bearer ${good} `],
    ['a line after', (good) => `Bearer ${good}\n`],
    ['padding', (good) => `Bearer ${good}==`],
    ['the other base64 alphabet', (good) => `Bearer ${good}+/`],
    ['four parts', (good) => `Bearer ${good}.AA`],
    ['two parts', (good) => `Bearer ${good.split('.').slice(0, 2).join('.')}`],
    ['two tokens', (good) => `Bearer ${good}, Bearer ${good}`],
    ['another scheme', (good) => `Basic ${good}`],
    ['no JSON', () => 'Bearer AAAA.AAAA.AAAA'],
    ['very much', () => `Bearer ${'A'.repeat(500_000)}.A.A`],
  ];

  test.each(spellings)('by another spelling of a valid token: %s', async (_, spell) => {
    const good = await token(goodHeader, goodClaims);
    expect(await verify(`Bearer ${good}`)).toBeDefined();
    expect(await verify(spell(good))).toBeUndefined();
  });
});
