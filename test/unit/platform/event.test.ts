import { expect, test } from 'vitest';
import { parseGatewayEvent } from '#shared/platform/http/event.ts';

const event = {
  httpMethod: 'POST',
  path: '/prod/api/token',
  resource: '/api/token',
  requestContext: { requestId: 'request-1' },
};

test('RFC 9110 5.1: header names are told apart by their letters, not by their case', () => {
  const { headers } = parseGatewayEvent({ ...event, headers: { 'IDEMPOTENCY-key': 'Key', Authorization: 'Bearer X' } });
  expect(headers.get('idempotency-key')).toBe('Key');
  expect(headers.get('authorization')).toBe('Bearer X');
});

test('decisions 5, same request twice: the route is the method and the path pattern', () => {
  expect(parseGatewayEvent(event).route).toBe('POST /api/token');
});

test('an event without headers, path parameters, body and token reads as a request without them', () => {
  const empty = { headers: null, queryStringParameters: null, pathParameters: null, body: null };
  expect(parseGatewayEvent({ ...event, ...empty })).toEqual({
    requestId: 'request-1',
    method: 'POST',
    url: 'http:///prod/api/token',
    route: 'POST /api/token',
    headers: new Map(),
    repeatedHeaders: new Set(),
    pathParameters: {},
    query: {},
    rawBody: Buffer.alloc(0),
    token: undefined,
  });
});

test("decisions 1, access token: the token's client and end come from the authorizer alone", () => {
  const forged = { headers: { clientId: 'forged', exp: '9' }, pathParameters: { clientId: 'forged' } };
  expect(parseGatewayEvent({ ...event, ...forged }).token).toBeUndefined();
  const requestContext = {
    requestId: 'r',
    authorizer: { clientId: 'client', exp: '1800000000', principalId: 'other' },
  };
  expect(parseGatewayEvent({ ...event, ...forged, requestContext }).token).toEqual({
    clientId: 'client',
    expiresAtSeconds: 1_800_000_000,
  });
});

test('decisions 11, who: beside the session, whose name is chosen, is what AWS itself calls the identity and its key', () => {
  const userArn = 'arn:aws:sts::111122223333:assumed-role/finance/the.boss@corp.example';
  const identity = { userArn, user: 'AROAEXAMPLE:the.boss@corp.example', accessKey: 'ASIAEXAMPLE' };
  expect(parseGatewayEvent({ ...event, requestContext: { ...event.requestContext, identity } })).toMatchObject({
    operator: userArn,
    signer: { principal: identity.user, accessKey: 'ASIAEXAMPLE' },
  });
});

test('decisions 1, production: the subject of the client certificate is that of the event', () => {
  const identity = { clientCert: { subjectDN: 'CN=api.client.example', serialNumber: '17' } };
  expect(parseGatewayEvent({ ...event, requestContext: { ...event.requestContext, identity } })).toMatchObject({
    certificateSubject: 'CN=api.client.example',
  });
});
