import { describe, expect, test } from 'vitest';
import { readCredentials } from '#functions/api/issue-token/credentials.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { refused } from '#test/support/refused.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const read = (body: string, headers: Record<string, string>) => readCredentials(httpRequest(body, headers));
const refusal = (body: string, headers: Record<string, string>) => refused(() => read(body, headers));

const good = { client_id: 'the-client', client_secret: 's3cr3t' };

describe('decisions 1, token request: JSON', () => {
  test('with and without the grant type', () => {
    expect(read(JSON.stringify(good), JSON_TYPE)).toMatchObject(good);
    expect(read(JSON.stringify({ ...good, grant_type: 'client_credentials' }), JSON_TYPE)).toMatchObject(good);
  });

  test('what is missing is named', async () => {
    const { code, errors } = await refusal('{"client_id":"a"}', JSON_TYPE);
    expect(code).toBe('VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'body.client_secret', code: 'REQUIRED', message: 'is required' }]);
    expect((await refusal('', {})).errors).toHaveLength(2);
  });

  test('another grant type is refused', async () => {
    const { errors } = await refusal(JSON.stringify({ ...good, grant_type: 'password' }), JSON_TYPE);
    expect(errors).toMatchObject([{ path: 'body.grant_type', code: 'NOT_ALLOWED' }]);
  });

  test('a repeated field is refused', async () => {
    const { code } = await refusal('{"client_id":"a","client_secret":"b","client_secret":"c"}', JSON_TYPE);
    expect(code).toBe('MALFORMED_JSON');
  });

  test('another media type is refused', async () => {
    expect((await refusal('client_id=a', { 'content-type': 'text/plain' })).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('decisions 1, token request: a form', () => {
  test('with the same fields', () => {
    expect(read('grant_type=client_credentials&client_id=the-client&client_secret=s3cr3t', FORM)).toMatchObject(good);
  });

  test('decoded as forms are, whatever the charset parameter', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    expect(read('client_id=a+b&client_secret=%2B%26%C3%A9%3D', headers)).toMatchObject({
      client_id: 'a b',
      client_secret: '+&é=',
    });
  });

  test.each(['client_id', 'client_secret', 'grant_type', 'other'])(
    'RFC 6749 3.2: %s given twice is refused',
    async (name) => {
      const form = `client_id=a&client_secret=b&grant_type=client_credentials&other=1&${name}=a`;
      const { code, errors } = await refusal(form, FORM);
      expect(code).toBe('VALIDATION_FAILED');
      expect(errors).toMatchObject([{ path: `body.${name}`, code: 'REPEATED' }]);
    },
  );

  test('a name that is repeated in another spelling is repeated', async () => {
    expect((await refusal('client_id=a&client_secret=b&client%5Fsecret=c', FORM)).errors).toMatchObject([
      { path: 'body.client_secret', code: 'REPEATED' },
    ]);
  });

  test('what is missing is named', async () => {
    expect((await refusal('client_id=a', FORM)).errors).toMatchObject([
      { path: 'body.client_secret', code: 'REQUIRED' },
    ]);
  });

  test('at most 8 KiB', async () => {
    const form = `client_id=a&client_secret=${'b'.repeat(8 * 1024)}`;
    expect((await refusal(form, FORM)).code).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('decisions 1, token request: HTTP Basic', () => {
  test('without a body', () => {
    expect(read('', { authorization: basic('the-client:s3cr3t') })).toMatchObject(good);
  });

  test('with the grant type in a form or in JSON', () => {
    const authorization = basic('the-client:s3cr3t');
    expect(read('grant_type=client_credentials', { ...FORM, authorization })).toMatchObject(good);
    expect(read('{"grant_type":"client_credentials"}', { ...JSON_TYPE, authorization })).toMatchObject(good);
  });

  test('whose grant type still counts', async () => {
    const { errors } = await refusal('grant_type=password', { ...FORM, authorization: basic('a:b') });
    expect(errors).toMatchObject([{ path: 'body.grant_type', code: 'NOT_ALLOWED' }]);
  });

  test('wins over the body', () => {
    const body = JSON.stringify({ client_id: 'other', client_secret: 'other' });
    expect(read(body, { ...JSON_TYPE, authorization: basic('the-client:s3cr3t') })).toMatchObject(good);
  });

  test('RFC 7235: the scheme in any case', () => {
    expect(read('', { authorization: basic('the-client:s3cr3t').replace('Basic', 'basic') })).toMatchObject(good);
  });

  test('the secret may contain colons and lines, and either half is form-encoded (RFC 6749 2.3.1)', () => {
    expect(read('', { authorization: basic('a%3Ab:c:d\n%2B+') })).toMatchObject({
      client_id: 'a:b',
      client_secret: 'c:d\n+ ',
    });
  });

  test.each(['no colon', '', 'a:%', 'a:%ff', '%zz:b'])('%j is INVALID_CLIENT', async (text) => {
    expectInvalidClient(await refusal('', { authorization: `Basic ${Buffer.from(text || ' ').toString('base64')}` }));
  });

  test('what is not Basic is not read', async () => {
    expect((await refusal('', { authorization: 'Bearer abc' })).code).toBe('VALIDATION_FAILED');
    expect((await refusal('', { authorization: 'Basic !!' })).code).toBe('VALIDATION_FAILED');
  });
});

function expectInvalidClient({ status, code }: { status: number; code: string }): void {
  expect([status, code]).toEqual([401, 'INVALID_CLIENT']);
}
