import type * as z from 'zod/mini';
import { type FieldError, invalid } from './api-error.ts';
import { WrittenNumber } from './json.ts';

/**
 * Parses one part of a request by its schema, or throws an error with an entry for each invalid value. The queries of
 * lists have strict schemas, because a misspelt filter would give a wrong answer. So have the bodies of the sandbox and
 * of operators, where a misspelt field would play or change something else.
 */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  part: 'body' | 'header' | 'query',
): z.infer<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw invalid(...fieldErrors(result.error, part));
}

/** An entry for each invalid value. The schema must have parsed the value with `reportInput`. */
export function fieldErrors({ issues }: Pick<z.core.$ZodError, 'issues'>, part: string): readonly FieldError[] {
  const ofOtherType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')));
  // For an array in place of a text, zod also checks the array's length.
  const isMeasured = ({ code, path }: Issue) => code.startsWith('too_') && ofOtherType.has(path.join('.'));
  return issues
    .filter((issue) => !isMeasured(issue))
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({
            path: [part, ...issue.path.map(String), key].join('.'),
            code: 'NOT_ALLOWED',
            message: part === 'query' ? 'is not a parameter' : 'is not a field of it',
          }))
        : fieldError(issue, part),
    );
}

type Issue = z.core.$ZodIssue;

function fieldError(issue: Issue, part: string): FieldError {
  const path = [part, ...issue.path.map(String)].join('.');
  if (issue.input === undefined) return { path, code: 'REQUIRED', message: 'is required' };
  if (part === 'query' && Array.isArray(issue.input)) return { path, code: 'REPEATED', message: 'must be given once' };
  switch (issue.code) {
    case 'invalid_type':
      return issue.input instanceof WrittenNumber && NUMBERS.includes(issue.expected)
        ? { path, code: 'OUT_OF_RANGE', message: 'must be a number that a double holds without losing a digit' }
        : { path, code: 'INVALID_TYPE', message: `must be of type ${typeName(issue.expected)}` };
    case 'invalid_union':
      return { path, code: 'INVALID_TYPE', message: `must be of type ${unionTypes(issue)}` };
    case 'invalid_format':
      return { path, code: 'INVALID_FORMAT', message: formatMessage(issue) };
    case 'invalid_value':
      return invalidValue(issue, path);
    case 'too_small':
      return {
        path,
        code: 'OUT_OF_RANGE',
        message: `must be at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`,
      };
    case 'too_big':
      return {
        path,
        code: 'OUT_OF_RANGE',
        message: `must be at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`,
      };
    default:
      return { path, code: 'INVALID', message: 'is not valid' };
  }
}

/** The text `true` in place of true is of another type: "must be true" would not say what to change. */
function invalidValue({ values, input }: z.core.$ZodIssueInvalidValue, path: string): FieldError {
  const types = new Set(values.map((value) => typeof value));
  return types.has(typeof input)
    ? { path, code: 'NOT_ALLOWED', message: `must be ${oneOf(values.map(String))}` }
    : { path, code: 'INVALID_TYPE', message: `must be of type ${[...types].join(' or ')}` };
}

/** The message for a pattern comes from its schema. */
function formatMessage({ format, message }: z.core.$ZodIssueInvalidStringFormat): string {
  if (format === 'regex') return message;
  if (format === 'datetime') return 'must be a time by RFC 3339 with an offset, like 2026-11-21T09:00:00-05:00';
  return `must be a ${format === 'guid' ? 'UUID' : format}`;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? values.join() : `one of ${values.join(', ')}`;
}

const NUMBERS = ['number', 'int'];

/** zod calls an integer `int`. */
function typeName(expected: string): string {
  return expected === 'int' ? 'integer' : expected;
}

function unit(origin: string, bound: number | bigint): string {
  if (origin !== 'string') return '';
  return bound === 1 ? ' character long' : ' characters long';
}

/** The types that JSON has a name for. */
function unionTypes(issue: z.core.$ZodIssueInvalidUnion): string {
  const expected = issue.errors.flatMap((branch) => branch.flatMap((one) => ('expected' in one ? [one.expected] : [])));
  return expected.filter((type) => JSON_TYPES.includes(type)).join(' or ');
}

const JSON_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'];
