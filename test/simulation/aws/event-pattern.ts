import * as z from 'zod/mini';
import { Unsupported } from './dynamodb/unsupported.ts';

/** What a pattern asks of one value. Numbers are left out: EventBridge compares how they are written. */
const condition = z.union([
  z.string(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
]);

type Condition = z.infer<typeof condition>;

const fields = z.record(z.string().check(z.regex(/^[^$]/)), z.unknown());

export type Matches = (event: unknown) => boolean;

/**
 * An event pattern as EventBridge and the filters of Lambda understand it: every field that it names has to fit, by one
 * of the alternatives that it lists.
 *
 * @throws {Unsupported} where it holds what is not known here
 */
export function compilePattern(pattern: unknown): Matches {
  const named = fields.safeParse(pattern);
  if (!named.success) throw unsupported(pattern);
  const compiled = Object.entries(named.data).map(([name, expected]) => [name, compileField(expected)] as const);
  return (event) => compiled.every(([name, fits]) => fits(isObject(event) ? event[name] : undefined));
}

/** A list of alternatives, or a pattern of what is in the field. */
function compileField(expected: unknown): Matches {
  if (!Array.isArray(expected)) {
    const matches = compilePattern(expected);
    return (value) => (Array.isArray(value) ? value.some(matches) : matches(value));
  }
  const alternatives = z.array(condition).check(z.minLength(1)).safeParse(expected);
  if (!alternatives.success) throw unsupported(expected);
  // A list fits when one of what it holds does.
  return (value) => {
    const values = Array.isArray(value) ? value : [value];
    return alternatives.data.some((one) => values.some((single) => fits(one, single)));
  };
}

function fits(one: Condition, value: unknown): boolean {
  if (typeof one !== 'object' || one === null) return value === one;
  if ('prefix' in one) return typeof value === 'string' && value.startsWith(one.prefix);
  // Whatever has fields of its own is no value.
  return one.exists === (value !== undefined && !isObject(value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unsupported(pattern: unknown): Unsupported {
  return new Unsupported(`the event pattern ${JSON.stringify(pattern)}`);
}
