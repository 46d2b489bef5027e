import { describe, expect, test } from 'vitest';
import { readCredentials } from '#functions/clients/issue-token/credentials.ts';
import type { ApiError } from '#shared/platform/http/api-error.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { httpRequest } from '#test/support/http-request.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const read = (body: string, headers: Record<string, string>) =>
  readCredentials(httpRequest(body, headers), Buffer.from(body));
const errorOf = (body: string, headers: Record<string, string>) => expectApiError(() => read(body, headers));

const good = { client_id: 'the-client', client_secret: 's3cr3t' };

describe('decisions 1, token request: JSON', () => {
  test('is read with and without the grant type', () => {
    expect(read(JSON.stringify(good), JSON_TYPE)).toMatchObject(good);
    expect(read(JSON.stringify({ ...good, grant_type: 'client_credentials' }), JSON_TYPE)).toMatchObject(good);
  });

  test('what is missing is named', async () => {
    expectInvalidRequest(await errorOf('{"client_id":"a"}', JSON_TYPE), 'body.client_secret is required');
    expectInvalidRequest(await errorOf('', {}), 'body.client_id is required; body.client_secret is required');
  });

  test('what is of another type is named', async () => {
    const body = JSON.stringify({ ...good, client_id: 1 });
    expectInvalidRequest(await errorOf(body, JSON_TYPE), 'body.client_id must be of type string');
    expectInvalidRequest(await errorOf('[]', JSON_TYPE), 'body must be of type object');
  });

  test('another grant type is refused', async () => {
    expectUnsupportedGrant(await errorOf(JSON.stringify({ ...good, grant_type: 'password' }), JSON_TYPE));
    expectUnsupportedGrant(await errorOf('{"grant_type":"password"}', JSON_TYPE));
  });

  test('a repeated field is refused', async () => {
    const { code } = await errorOf('{"client_id":"a","client_secret":"b","client_secret":"c"}', JSON_TYPE);
    expect(code).toBe('MALFORMED_JSON');
  });
});

describe('decisions 1, token request: a form', () => {
  test('is read by the same fields', () => {
    expect(read('grant_type=client_credentials&client_id=the-client&client_secret=s3cr3t', FORM)).toMatchObject(good);
  });

  test.each(['client_id', 'client_secret', 'grant_type', 'other'])(
    'RFC 6749 3.2: %s given twice is refused',
    async (name) => {
      const form = `client_id=a&client_secret=b&grant_type=client_credentials&other=1&${name}=a`;
      expectInvalidRequest(await errorOf(form, FORM), `body.${name} must be given once`);
    },
  );

  test('a name that is given again in another spelling is given twice', async () => {
    const form = 'client_id=a&client_secret=b&client%5Fsecret=c';
    expectInvalidRequest(await errorOf(form, FORM), 'body.client_secret must be given once');
  });

  test('what is missing is named', async () => {
    expectInvalidRequest(await errorOf('client_id=a', FORM), 'body.client_secret is required');
  });

  test('is refused above 8 KiB', async () => {
    const form = `client_id=a&client_secret=${'b'.repeat(8 * 1024)}`;
    expect((await errorOf(form, FORM)).code).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('decisions 1, token request: HTTP Basic', () => {
  test('is enough without a body', () => {
    expect(read('', { authorization: basic('the-client:s3cr3t') })).toMatchObject(good);
  });

  test('goes with the grant type in a form or in JSON', () => {
    const authorization = basic('the-client:s3cr3t');
    expect(read('grant_type=client_credentials', { ...FORM, authorization })).toMatchObject(good);
    expect(read('{"grant_type":"client_credentials"}', { ...JSON_TYPE, authorization })).toMatchObject(good);
  });

  test('whose grant type still counts', async () => {
    expectUnsupportedGrant(await errorOf('grant_type=password', { ...FORM, authorization: basic('a:b') }));
  });

  test('wins over the secret in the body', () => {
    const body = JSON.stringify({ client_id: 'other', client_secret: 'other' });
    expect(read(body, { ...JSON_TYPE, authorization: basic('the-client:s3cr3t') })).toMatchObject(good);
  });

  test('is known by its scheme in any case (RFC 7235)', () => {
    expect(read('', { authorization: basic('the-client:s3cr3t').replace('Basic', 'basic') })).toMatchObject(good);
  });

  test('the secret may contain colons and lines, and either half is form-encoded (RFC 6749 2.3.1)', () => {
    expect(read('', { authorization: basic('a%3Ab:c:d\n%2B+') })).toMatchObject({
      client_id: 'a:b',
      client_secret: 'c:d\n+ ',
    });
  });

  test.each(['no colon', '', 'a:%', 'a:%ff', '%zz:b'])('%j is INVALID_CLIENT', async (text) => {
    expectInvalidClient(await errorOf('', { authorization: `Basic ${Buffer.from(text || ' ').toString('base64')}` }));
  });
});

function expectInvalidRequest({ status, code, message, errors }: ApiError, detail: string): void {
  expect([status, code, message, errors]).toEqual([400, 'INVALID_REQUEST', detail, undefined]);
}

function expectUnsupportedGrant({ status, code }: ApiError): void {
  expect([status, code]).toEqual([400, 'UNSUPPORTED_GRANT_TYPE']);
}

function expectInvalidClient({ status, code }: ApiError): void {
  expect([status, code]).toEqual([401, 'INVALID_CLIENT']);
}
