import * as z from 'zod/mini';
import { apiErrors, type ErrorKind } from './api-errors.ts';
import { contract } from './contract.ts';
import { noBody, noPathParameters, noQuery } from './fields.ts';

/** Characters of a reason. */
export const REASON_LENGTH = { least: 3, most: 500 } as const;

/** The reason for an operator's change, for readers of the audit. */
const reason = z.string().check(z.trim(), z.minLength(REASON_LENGTH.least), z.maxLength(REASON_LENGTH.most));

interface Described<Answer extends z.ZodMiniType> {
  /** Verb and noun of a change; the noun alone for a look-up. */
  readonly name: string;
  readonly summary: string;
  readonly answer: Answer;
  readonly errors: readonly ErrorKind[];
}

const common = {
  access: 'operator',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
} as const;

/** The contract of a read by operators (decisions.md 11, Routes). */
export function lookup<Q extends z.ZodMiniType, A extends z.ZodMiniType>({
  name,
  summary,
  query,
  answer,
  errors,
}: Described<A> & { readonly query: Q }) {
  return contract({
    ...common,
    name,
    summary,
    method: 'GET',
    path: `/operations/${name}`,
    query,
    body: noBody,
    success: { status: 200, body: answer },
    errors: [...errors, apiErrors.FORBIDDEN, apiErrors.VALIDATION_FAILED],
  });
}

/** The contract of a change by operators: its arguments, and the reason for the audit. */
export function command<I extends z.ZodMiniType, A extends z.ZodMiniType>({
  name,
  summary,
  input,
  subject,
  answer,
  errors,
}: Described<A> & { readonly input: I; readonly subject: readonly string[] }) {
  return contract({
    ...common,
    name,
    summary,
    method: 'POST',
    path: `/operations/${name}`,
    query: noQuery,
    body: z.strictObject({ arguments: input, reason }),
    subject,
    success: { status: 200, body: answer },
    errors: [...errors, apiErrors.FORBIDDEN, apiErrors.MALFORMED_JSON, apiErrors.VALIDATION_FAILED],
  });
}
