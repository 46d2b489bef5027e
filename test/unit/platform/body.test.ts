import { describe, expect, test } from 'vitest';
import { LARGEST_BODY as LIMIT } from '#shared/platform/http/contract.ts';
import {
  type HttpRequest,
  mediaType,
  parseGatewayEvent,
  parseJsonBody,
  refuseTooLarge,
} from '#shared/platform/http/event.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { httpRequest } from '#test/support/http-request.ts';

/** Parses a body as an endpoint does. */
const readJsonBody = (request: HttpRequest) => parseJsonBody(request, refuseTooLarge(LIMIT, request.rawBody));

/** A JSON text of exactly this many bytes. */
const jsonOf = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;

describe('decisions 3: UNSUPPORTED_MEDIA_TYPE', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    ' application/json ;charset=utf-8',
  ])('a body of %j is read as JSON', (contentType) => {
    expect(readJsonBody(httpRequest('{"a":1}', { 'content-type': contentType }))).toEqual({ a: 1 });
  });

  test.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/json',
    'application/problem+json',
    'text/plain; application/json',
  ])('a body of %j is not', async (contentType) => {
    const error = await expectApiError(() => readJsonBody(httpRequest('{"a":1}', { 'content-type': contentType })));
    expect([error.status, error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('a body without a content type is not JSON', async () => {
    expect((await expectApiError(() => readJsonBody(httpRequest('{}', {})))).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('the media type is compared without its parameters and case', () => {
    expect(mediaType(httpRequest('', { 'content-type': 'Text/HTML ; a=b' }))).toBe('text/html');
    expect(mediaType(httpRequest('', {}))).toBe('');
  });
});

test('interface 7: a missing body reads as an empty object, so that the missing fields are named', () => {
  expect(readJsonBody(httpRequest('', {}))).toEqual({});
  expect(readJsonBody(httpRequest(''))).toEqual({});
});

test('decisions 3: a body that is no JSON is MALFORMED_JSON', async () => {
  expect((await expectApiError(() => readJsonBody(httpRequest('{')))).code).toBe('MALFORMED_JSON');
});

test('decisions 3: bytes that are not UTF-8 are MALFORMED_JSON', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  expect((await expectApiError(() => readJsonBody(httpRequest(bytes)))).code).toBe('MALFORMED_JSON');
});

describe('decisions 3: PAYLOAD_TOO_LARGE', () => {
  test('64 KiB are read, one byte more is refused', async () => {
    expect(readJsonBody(httpRequest(jsonOf(LIMIT)))).toHaveLength(LIMIT - 2);
    const error = await expectApiError(() => readJsonBody(httpRequest(jsonOf(LIMIT + 1))));
    expect([error.status, error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(error.message).toContain(String(LIMIT));
  });

  test('bytes are counted, not characters', async () => {
    const error = await expectApiError(() => readJsonBody(httpRequest(`"${'é'.repeat(LIMIT / 2)}"`)));
    expect(error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('a route may have a limit of its own', async () => {
    expect((await expectApiError(() => refuseTooLarge(2, Buffer.from('abc')))).code).toBe('PAYLOAD_TOO_LARGE');
    expect(refuseTooLarge(2, Buffer.from('ab')).toString()).toBe('ab');
  });
});

describe('a body that API Gateway hands over as base64', () => {
  const request = (body: string, isBase64Encoded: boolean) =>
    parseGatewayEvent({
      httpMethod: 'POST',
      resource: '/api/things',
      headers: { 'Content-Type': 'application/json' },
      body,
      isBase64Encoded,
      requestContext: { requestId: 'r' },
    });

  test('is decoded', () => {
    expect(readJsonBody(request(Buffer.from('{"a":"é"}').toString('base64'), true))).toEqual({ a: 'é' });
  });

  test('is measured as it was sent', async () => {
    expect(readJsonBody(request(Buffer.from(jsonOf(LIMIT)).toString('base64'), true))).toHaveLength(LIMIT - 2);
    const tooLarge = request(Buffer.from(jsonOf(LIMIT + 1)).toString('base64'), true);
    expect((await expectApiError(() => readJsonBody(tooLarge))).code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('is used unchanged if it is not base64', () => {
    expect(readJsonBody(request('{"a":"é"}', false))).toEqual({ a: 'é' });
  });
});
