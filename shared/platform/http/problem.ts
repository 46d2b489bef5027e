import type { ApiError, FieldError } from './api-error.ts';
import { type ErrorKind, titles } from './api-errors.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The body of an error (RFC 9457; decisions.md 3). */
type Problem = {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
};

export function problemFor({ code, status, detail }: ErrorKind, requestId: string, error?: ApiError): Problem {
  return {
    type: 'about:blank',
    title: titles[status],
    status,
    code,
    detail: error?.message ?? detail,
    requestId,
    ...error?.about,
    ...(error?.errors && { errors: error.errors }),
  };
}
