import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';
import { fieldErrors } from '#shared/platform/http/validation.ts';
import type { CommandContext, Person } from './command-context.ts';
import { OpsError } from './ops-error.ts';
import { assembleInput, type Parameter, type Parameters } from './parameters.ts';
import type { CallInput } from './service.ts';

/** What was given on the command line. */
export interface CommandLineInput {
  /** In the order of the required parameters. */
  readonly values: readonly (string | undefined)[];
  /** By their fields. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly from: string | undefined;
  readonly reason: string | undefined;
}

/**
 * Collects the input of a command from the command line, a file and the person at the terminal, and validates it by the
 * contract. @throws {OpsError}
 */
export async function readInput(
  contract: Contract,
  { required, last, optional, onlyFromFile }: Parameters,
  { values, options, from, reason }: CommandLineInput,
  { person, read }: Pick<CommandContext, 'person' | 'read'>,
): Promise<CallInput> {
  if (onlyFromFile && from === undefined)
    throw new OpsError('usage', 'Give the file with its arguments, or - to type them in.');
  const base = from === undefined ? {} : await jsonIn(from, read);
  const given = [
    ...(await needed(required, values, base, person)),
    ...(last === undefined ? [] : [[last, values[required.length]] as const]),
    ...optional.map((parameter) => [parameter, options[parameter.field]] as const),
  ].flatMap(([parameter, value]) => (typeof value === 'string' || value === true ? [[parameter, value] as const] : []));
  const input = assembleInput(base, given);
  if (contract.method === 'GET')
    return { query: valid(z.record(z.string(), z.string()), valid(contract.query, input)) };
  const asked = { arguments: input, reason: reason ?? (await missingReason(person)) };
  return { body: valid(contract.body, asked) };
}

/** Asks the person at the terminal for what neither the command line nor the file has. */
async function needed(
  required: readonly Parameter[],
  values: CommandLineInput['values'],
  base: Readonly<Record<string, unknown>>,
  person: Person | undefined,
) {
  const given: (readonly [Parameter, string | undefined])[] = [];
  for (const [position, parameter] of required.entries()) {
    const isGiven = parameter.field in base;
    given.push([parameter, values[position] ?? (isGiven ? undefined : await missing(parameter, person))]);
  }
  return given;
}

async function missing(parameter: Parameter, person: Person | undefined): Promise<string> {
  if (person === undefined) throw new OpsError('usage', `Give <${parameter.name}>.`);
  return await person.value(parameter);
}

async function missingReason(person: Person | undefined): Promise<string> {
  if (person === undefined) throw new OpsError('usage', 'Give --reason: the reason, for the audit.');
  return await person.reason();
}

async function jsonIn(file: string, read: CommandContext['read']): Promise<Readonly<Record<string, unknown>>> {
  const text = await read(file).catch(() => {
    throw new OpsError('usage', `${file} cannot be read.`);
  });
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw new OpsError('usage', `${file} is no JSON object.`);
  }
}

/** The beginning of an error's path, which nobody typed. */
const IN_REQUEST = /^\.(arguments\.)?/;

function valid<S extends z.ZodMiniType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = fieldErrors(result.error, '').map((one) => ({ ...one, path: one.path.replace(IN_REQUEST, '') }));
  throw new OpsError('usage', 'Some values are missing or not valid.', { code: 'VALIDATION_FAILED', errors });
}
