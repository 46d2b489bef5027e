import * as z from 'zod/mini';

/**
 * The published names and descriptions of the contracts, each beside the schema that it describes. Bundles leave them
 * out (infra/bundle/bundle-functions.ts), so no function contains them.
 */

/** The text of a field: a sentence, or a sentence with facts that the schema lacks because a use case checks them. */
export type FieldText = string | FieldFacts;

interface FieldFacts {
  readonly description: string;
  readonly format?: 'double' | 'uri' | 'date' | 'uuid';
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The one type to publish where the service takes several. */
  readonly type?: 'string';
  /** True if the body may lack the field, because it may come in another way. */
  readonly isOptional?: true;
}

export interface ObjectText {
  readonly name: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldText>>;
  /** Another object whose fields this one also has, with the same texts. */
  readonly base?: z.ZodMiniType;
}

export interface ValuesText {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The published name of every schema that has one. */
export const schemaNames = z.registry<{ id: string }>();

export const objectTexts = new Map<z.ZodMiniType, ObjectText>();
export const valuesTexts = new Map<z.ZodMiniType, ValuesText>();

type NoFields = z.ZodMiniObject<Record<never, never>>;

/** Names an object in the published interface, and describes it and its fields. */
export function documentObject<S extends z.ZodMiniObject, Base extends z.ZodMiniObject = NoFields>(
  name: string,
  schema: S,
  description: string,
  fields: Readonly<Record<Exclude<keyof S['shape'], keyof Base['shape']>, FieldText>>,
  base?: Base,
): void {
  schemaNames.add(schema, { id: name });
  objectTexts.set(schema, { name, description, fields, ...(base && { base }) });
}

/** Names a list of values in the published interface, and describes it and its values. */
export function documentValues<Value extends string>(
  name: string,
  schema: z.ZodMiniType<Value>,
  description: string,
  values: Readonly<Record<Value, string>>,
): void {
  schemaNames.add(schema, { id: name });
  valuesTexts.set(schema, { name, description, values });
}
