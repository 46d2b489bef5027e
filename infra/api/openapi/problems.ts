import * as z from 'zod/mini';
import { PAYIN_ID } from '#infra/platform/example-ids.ts';
import { ApiError, type ApiErrorCode, apiErrorCodes, apiErrors, invalid } from '#shared/platform/http/api-error.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { oauthError } from '#shared/platform/http/oauth-error.ts';
import { PROBLEM_MEDIA_TYPE, problem, problemFor } from '#shared/platform/http/problem.ts';
import { headers } from './headers.ts';
import { pascalCase } from './names.ts';
import type { Json } from './schemas.ts';

const meanings = Object.entries(apiErrors).map(([code, [status, detail]]) => [code, `${status}. ${detail}`]);
const meaningOf = z.record(problem.shape.code, z.string()).parse(Object.fromEntries(meanings));
documentValues('ProblemCode', problem.shape.code, 'What is wrong, for programs.', meaningOf);

/** What a failure of ours or API Gateway can answer on every route: also to addresses that are not on the allowlist of production. */
const fromGateway = ['TOO_MANY_REQUESTS', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'FORBIDDEN'] as const;

/** What the limit of all requests of a client in a day can answer on every route of clients. */
const ofClients = ['DAILY_LIMIT_REACHED'] as const;

interface Problems {
  readonly status: number;
  readonly codes: readonly ApiErrorCode[];
  /** In the members of OAuth, too. */
  readonly isOauth: boolean;
}

/** The errors of a route by their status, in the order in which they are listed for all routes. */
export function problemsOf({ errors: own, oauth, access }: Contract): readonly Problems[] {
  const isOfClients = access === 'client' || access === 'approved-client';
  const possible = new Set<string>([...own, ...fromGateway, ...(isOfClients ? ofClients : [])]);
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of apiErrorCodes) {
    if (!possible.has(code)) continue;
    const [status] = apiErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) => ({
    status,
    codes,
    isOauth: oauth === true && codes.some((code) => oauthError(code, '') !== undefined),
  }));
}

/** The name under which a combination of codes is described once for all routes that have it. */
export function nameOfProblems({ codes, isOauth }: Problems): string {
  return `${isOauth ? 'Token' : ''}${codes.map(pascalCase).join('Or')}`;
}

export function describeProblems({ status, codes, isOauth }: Problems): Json {
  const content = (asOauth: boolean) => ({
    [asOauth ? 'application/json' : PROBLEM_MEDIA_TYPE]: {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, asOauth) }])),
    },
  });
  // API Gateway refuses what is too much of all clients together, and knows nothing of OAuth.
  const isOfGatewayToo = isOauth && status === 429;
  return {
    description: codes.map((code) => `\`${code}\`: ${apiErrors[code][1]}`).join('\n\n'),
    headers: headers('X-Request-Id', 'Cache-Control', ...furtherHeaders(status, codes)),
    content: { ...content(isOauth), ...(isOfGatewayToo && content(false)) },
  };
}

function furtherHeaders(status: number, codes: readonly ApiErrorCode[]): readonly string[] {
  if (codes.includes('UNAUTHORIZED')) return ['WWW-Authenticate'];
  return [409, 429, 502, 503].includes(status) ? ['Retry-After'] : [];
}

const REQUEST_ID = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';

function exampleOf(code: ApiErrorCode, isOauth: boolean): Json {
  const example = problemFor(code, REQUEST_ID, exampleErrors[code]);
  return isOauth ? { ...example, ...oauthError(code, example.detail) } : example;
}

/** Of codes whose problem says more than every problem. */
const exampleErrors: Partial<Record<ApiErrorCode, ApiError>> = {
  VALIDATION_FAILED: invalid({ path: 'body.amount', code: 'REQUIRED', message: 'is required' }),
  RAIL_REJECTED: new ApiError('RAIL_REJECTED', { payinId: PAYIN_ID }),
  RAIL_UNAVAILABLE: new ApiError('RAIL_UNAVAILABLE', { payinId: PAYIN_ID }),
};
