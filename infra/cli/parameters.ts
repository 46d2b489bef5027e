import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';

/** One value that a command takes. */
export interface Parameter {
  /** Its path in the request: `['payer', 'phone']`. */
  readonly path: readonly string[];
  /** Its last part: `phone`, `clientId`. */
  readonly field: string;
  /** The name on the command line: `phone`, `client-id`. */
  readonly name: string;
  readonly choices?: readonly string[];
  /** The format in JSON Schema: `date-time`. */
  readonly format?: string;
  /** A flag, which has no value: `--now`. */
  readonly isFlag?: true;
  /** A whole number: `--off-ramps 50000`. */
  readonly isNumber?: true;
}

/** The arguments of a command, from its contract. */
export interface Parameters {
  /** Arguments without a name, in this order. */
  readonly required: readonly Parameter[];
  /** The optional argument that is given without its name; it comes last. */
  readonly last?: Parameter | undefined;
  /** Arguments that have an option each. */
  readonly optional: readonly Parameter[];
  /** True if the arguments do not fit on a command line, so they have to be in a file. */
  readonly onlyFromFile: boolean;
}

const jsonSchema = z.object({
  type: z.optional(z.unknown()),
  enum: z.catch(z.optional(z.array(z.string())), undefined),
  format: z.optional(z.string()),
  get properties() {
    return z.optional(z.record(z.string(), jsonSchema));
  },
  required: z.optional(z.array(z.string())),
});

type JsonSchema = z.infer<typeof jsonSchema>;

/** @param argument the optional argument that is given without its name */
export function parametersOf({ method, body, query }: Contract, argument?: string): Parameters {
  const whole = jsonSchema.parse(z.toJSONSchema(method === 'GET' ? query : body, { io: 'input' }));
  const { properties = {}, required = [] } = method === 'GET' ? whole : (whole.properties?.['arguments'] ?? {});
  const entries = Object.entries(properties);
  const needed = entries.filter(([name]) => required.includes(name));
  if (needed.some(([, schema]) => !isText(schema))) return { required: [], optional: [], onlyFromFile: true };
  const others = entries
    .filter(([name]) => !required.includes(name))
    .flatMap(([name, schema]) => leaves([name], schema));
  return {
    required: needed.map(([name, schema]) => parameter([name], schema)),
    last: others.find(({ field }) => field === argument),
    optional: others.filter(({ field }) => field !== argument),
    onlyFromFile: false,
  };
}

function leaves(path: readonly string[], schema: JsonSchema): readonly Parameter[] {
  if (isText(schema) || isFlag(schema) || isNumber(schema)) return [parameter(path, schema)];
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => leaves([...path, name], one));
}

function isText({ type }: JsonSchema): boolean {
  return type === 'string';
}

function isFlag({ type }: JsonSchema): boolean {
  return type === 'boolean';
}

function isNumber({ type }: JsonSchema): boolean {
  return type === 'integer';
}

function parameter(path: readonly string[], schema: JsonSchema): Parameter {
  const { enum: choices, format } = schema;
  const field = path.at(-1) ?? '';
  const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    path,
    field,
    name,
    ...(choices && { choices }),
    ...(format && { format }),
    ...(isFlag(schema) && { isFlag: true }),
    ...(isNumber(schema) && { isNumber: true }),
  };
}

/** Puts the values at their paths, over those already there. */
export function assembleInput(
  base: Readonly<Record<string, unknown>>,
  values: readonly (readonly [Parameter, string | true])[],
): Readonly<Record<string, unknown>> {
  return values.reduce((whole, [{ path, isNumber }, value]) => put(whole, path, isNumber ? read(value) : value), base);
}

/** A text that is no whole number stays a text, which the contract refuses. */
const read = (value: string | true) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value);

function put(
  whole: unknown,
  [name, ...rest]: readonly string[],
  value: string | number | true,
): Readonly<Record<string, unknown>> {
  const before = z.record(z.string(), z.unknown()).safeParse(whole).data ?? {};
  if (name === undefined) return before;
  return { ...before, [name]: rest.length === 0 ? value : put(before[name], rest, value) };
}
