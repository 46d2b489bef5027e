import { PAYIN_ID } from '#infra/platform/example-ids.ts';
import { eventErrors } from '#shared/events/event-contract.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { oauthError, PROBLEM_MEDIA_TYPE, problemFor } from '#shared/platform/http/answer.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors, type ErrorKind } from '#shared/platform/http/api-errors.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { errorCodes } from './declared-errors.ts';
import { headers } from './headers.ts';
import { pascalCase } from './names.ts';
import { problem } from './problem.ts';
import type { Json } from './schemas.ts';

/**
 * Errors that any route may answer: a fault of the service, or a refusal by API Gateway, for example of an address
 * outside the allowlist.
 */
const fromGateway = [
  apiErrors.TOO_MANY_REQUESTS,
  apiErrors.INTERNAL_ERROR,
  apiErrors.SERVICE_UNAVAILABLE,
  apiErrors.FORBIDDEN,
];

/** The error of a client's daily limit, which every route for clients may answer. */
const ofClients = [apiErrors.DAILY_LIMIT_REACHED];

interface Problems {
  readonly status: number;
  readonly kinds: readonly ErrorKind[];
  /** True if the body also has the members of an OAuth error. */
  readonly isOauth: boolean;
}

/** Groups the errors of a route by their status, in the order of `errorCodes`. */
export function problemsOf({ errors: own, oauth, access }: Contract): readonly Problems[] {
  const isOfClients = access === 'client' || access === 'approved-client';
  const possible = [...own, ...fromGateway, ...(isOfClients ? ofClients : [])];
  const kinds = errorCodes.flatMap((code) => possible.find((kind) => kind.code === code) ?? []);
  return [...Map.groupBy(kinds, ({ status }) => status)].map(([status, kinds]) => ({
    status,
    kinds,
    isOauth: oauth === true && kinds.some(({ code }) => oauthError(code, '') !== undefined),
  }));
}

/** The component name of a combination of errors, which is described once for all routes that have it. */
export function nameOfProblems({ kinds, isOauth }: Problems): string {
  return `${isOauth ? 'Token' : ''}${kinds.map(({ code }) => pascalCase(code)).join('Or')}`;
}

export function describeProblems({ status, kinds, isOauth }: Problems): Json {
  const content = (asOauth: boolean) => ({
    [asOauth ? 'application/json' : PROBLEM_MEDIA_TYPE]: {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(kinds.map((kind) => [kind.code, { value: exampleOf(kind, asOauth) }])),
    },
  });
  // API Gateway refuses calls above the limit of all clients together; its answer has no OAuth members.
  const isOfGatewayToo = isOauth && status === 429;
  return {
    description: kinds.map(({ code, detail }) => `\`${code}\`: ${detail}`).join('\n\n'),
    headers: headers('X-Request-Id', 'Cache-Control', ...furtherHeaders(status, kinds)),
    content: { ...content(isOauth), ...(isOfGatewayToo && content(false)) },
  };
}

function furtherHeaders(status: number, kinds: readonly ErrorKind[]): readonly string[] {
  if (kinds.includes(apiErrors.UNAUTHORIZED)) return ['WWW-Authenticate'];
  return [409, 429, 502, 503].includes(status) ? ['Retry-After'] : [];
}

const REQUEST_ID = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';

function exampleOf(kind: ErrorKind, isOauth: boolean): Json {
  const example = problem.parse(problemFor(kind, REQUEST_ID, 'https://docs.example.com', examples.get(kind)));
  return isOauth ? { ...example, ...oauthError(kind.code, example.detail) } : example;
}

/** Examples for errors whose problem has further members. */
const examples = new Map(
  [
    invalid({ path: 'body.amount', code: 'REQUIRED', message: 'is required' }),
    new ApiError(eventErrors.CURSOR_EXPIRED, { about: { oldestCursor: 'MTc4NzQ5MzgyMDAwMA.4W2pYt9cRb1KxJm7sQ0f3g' } }),
    new ApiError(offRampErrors.DEPOSIT_NOT_RETURNABLE, { about: { reasons: ['STATUS'] } }),
    new ApiError(payinErrors.RAIL_REJECTED, { about: { payinId: PAYIN_ID } }),
    new ApiError(payinErrors.RAIL_UNAVAILABLE, { about: { payinId: PAYIN_ID } }),
  ].map((error) => [error.kind, error]),
);
