import * as z from 'zod/mini';
import { Unsupported } from './dynamodb/unsupported.ts';

/** A condition on one value. Numbers are not supported, because EventBridge compares their spelling. */
const condition = z.union([
  z.string(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ 'anything-but': z.array(z.string()).check(z.minLength(1)) }),
  z.strictObject({ exists: z.boolean() }),
]);

type Condition = z.infer<typeof condition>;

const fields = z.record(z.string().check(z.regex(/^[^$]/)), z.unknown());

export type Matches = (event: unknown) => boolean;

/**
 * Compiles an event pattern, as of EventBridge or Lambda's filters: every named field must match one of its listed
 * alternatives.
 *
 * @throws {Unsupported} for anything that is not implemented
 */
export function compilePattern(pattern: unknown): Matches {
  const named = fields.safeParse(pattern);
  if (!named.success) throw unsupported(pattern);
  const compiled = Object.entries(named.data).map(([name, expected]) => [name, compileField(expected)] as const);
  return (event) => compiled.every(([name, fits]) => fits(isObject(event) ? event[name] : undefined));
}

/** Compiles a list of alternatives, or a pattern for the field's object. */
function compileField(expected: unknown): Matches {
  if (!Array.isArray(expected)) {
    const matches = compilePattern(expected);
    return (field) => {
      const objects = flat(field).filter(isObject);
      return objects.length === 0 ? matches({}) : objects.some(matches);
    };
  }
  const alternatives = z.array(condition).check(z.minLength(1)).safeParse(expected);
  if (!alternatives.success) throw unsupported(expected);
  return (field) => {
    const values = flat(field).filter((one) => !isObject(one));
    return alternatives.data.some((one) => fits(one, values));
  };
}

function fits(one: Condition, values: readonly unknown[]): boolean {
  if (typeof one !== 'object' || one === null) return values.includes(one);
  if ('exists' in one) return one.exists === values.length > 0;
  if ('anything-but' in one) {
    return values.some((value) => typeof value === 'string' && !one['anything-but'].includes(value));
  }
  return values.some((value) => typeof value === 'string' && value.startsWith(one.prefix));
}

/** Returns the values of a field one by one: EventBridge matches the members of a list. */
function flat(field: unknown): readonly unknown[] {
  if (Array.isArray(field)) return field.flatMap(flat);
  return field === undefined ? [] : [field];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unsupported(pattern: unknown): Unsupported {
  return new Unsupported(`the event pattern ${JSON.stringify(pattern)}`);
}
