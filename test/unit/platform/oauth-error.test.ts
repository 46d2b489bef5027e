import { describe, expect, test } from 'vitest';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors, type ErrorKind } from '#shared/platform/http/api-errors.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';

/** The answer of the token route to a request that it refuses so. */
function refusedWith(code: keyof typeof apiErrors, detail?: string) {
  return refused(apiErrors[code], detail);
}

function refused(kind: ErrorKind, detail = kind.detail) {
  captureLogs();
  const refuse = async () => {
    throw new ApiError(kind, { detail });
  };
  return invoke(publicEndpoint(issueTokenContract, systemClock, refuse), gatewayEvent());
}

describe('decisions 1, refused token request: what stock OAuth clients read (RFC 6749 5.2)', () => {
  test.each([
    ['INVALID_CLIENT', 401, 'invalid_client'],
    ['INVALID_REQUEST', 400, 'invalid_request'],
    ['UNSUPPORTED_GRANT_TYPE', 400, 'unsupported_grant_type'],
    ['MALFORMED_JSON', 400, 'invalid_request'],
    ['PAYLOAD_TOO_LARGE', 413, 'invalid_request'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'invalid_request'],
    ['TOO_MANY_REQUESTS', 429, 'temporarily_unavailable'],
  ] as const)('%s is %i %s in JSON, beside the members of the problem', async (code, status, error) => {
    const answer = await refusedWith(code);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers?.['Content-Type']).toBe('application/json');
    const detail = apiErrors[code].detail;
    expect(problemOf(answer)).toMatchObject({ status, code, detail, error, error_description: detail });
  });

  test('names every error of the contract', async () => {
    for (const kind of issueTokenContract.errors) expect(problemOf(await refused(kind)).error).toBeDefined();
  });

  test('a wrong secret is told the scheme and the realm, and nothing else is', async () => {
    expect((await refusedWith('INVALID_CLIENT')).headers?.['WWW-Authenticate']).toBe('Basic realm="API clients"');
    expect((await refusedWith('INVALID_REQUEST')).headers).not.toHaveProperty('WWW-Authenticate');
  });

  test('the description has only the characters that it may have', async () => {
    const answer = problemOf(await refusedWith('INVALID_REQUEST', 'body."a\\b"\n€ must be given once'));
    expect(answer.error_description).toBe('body.ab must be given once');
  });

  test('a failure of the service is a problem, as on other routes, not an OAuth error', async () => {
    const answer = await refusedWith('SERVICE_UNAVAILABLE');
    expect(answer.headers?.['Content-Type']).toBe('application/problem+json');
    expect(problemOf(answer)).not.toHaveProperty('error');
  });
});
