import * as z from 'zod/mini';
import type { Refusal, RefusalCode } from '#shared/domain/refusal.ts';
import { refusalCodes, refusals } from '#shared/domain/refusal.ts';
import { oauthErrorCodes } from './oauth-error.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Every error body of the service, API Gateway's own included (RFC 9457; decisions.md 3). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** Stable, for programs. */
  code: z.enum(refusalCodes),
  /** For people. */
  detail: z.string(),
  requestId: z.string(),
  /** The pay-in that a failed creation is about. */
  payinId: z.optional(z.string()),
  /** Of a refused token request alone, for stock OAuth clients (RFC 6749 §5.2). */
  error: z.optional(z.enum(oauthErrorCodes)),
  error_description: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problem>;

const titles: Record<(typeof refusals)[RefusalCode][0], string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

export function problemFor(code: RefusalCode, requestId: string, refusal?: Refusal): Problem {
  const [status, detail] = refusals[code];
  return {
    type: 'about:blank',
    title: titles[status],
    status,
    code,
    detail: refusal?.message ?? detail,
    requestId,
    ...(refusal?.payinId !== undefined && { payinId: refusal.payinId }),
    ...(refusal?.errors && { errors: [...refusal.errors] }),
  };
}
