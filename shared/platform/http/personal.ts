import * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/** Schemas of personal data. */
const personalSchemas = z.registry<{ readonly isPersonal: true }>();

/**
 * Marks personal data in the schema of a command, at any depth: the audit keeps the names of its fields without their
 * values (decisions.md 11, Who changed it).
 */
export function personal<S extends z.ZodMiniType>(schema: S): S {
  personalSchemas.add(schema, { isPersonal: true });
  return schema;
}

/** True if a schema is marked, also if a check was added to it afterwards. */
function isPersonal(schema: Schema): boolean {
  return personalSchemas.get(schema) !== undefined;
}

/** Replaces a personal value that has no fields, or whose schema does not name them. */
export const OMITTED_VALUE = '(left out)';

/** A parsed value without its personal data. */
export function withoutPersonalData(schema: Schema, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (isPersonal(schema)) return fieldsOf(schema, value);
  const inner = innerOf(schema);
  if (inner !== undefined) return withoutPersonalData(inner, value);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    const { element } = schema._zod.def;
    return value.map((one) => withoutPersonalData(element, one));
  }
  if (schema instanceof z.ZodMiniObject) {
    const { shape } = schema._zod.def;
    return Object.fromEntries(
      entriesOf(value).map(([name, one]) => {
        const field = shape[name];
        return [name, field === undefined ? OMITTED_VALUE : withoutPersonalData(field, one)];
      }),
    );
  }
  return typeof value === 'object' && value !== null ? OMITTED_VALUE : value;
}

/** The names of the fields that the schema has: other names may be personal data themselves. */
function fieldsOf(schema: Schema, value: unknown): unknown {
  const inner = innerOf(schema);
  if (inner !== undefined) return fieldsOf(inner, value);
  if (!(schema instanceof z.ZodMiniObject)) return OMITTED_VALUE;
  const { shape } = schema._zod.def;
  return entriesOf(value).flatMap(([name, one]) => (name in shape && one !== undefined ? [name] : []));
}

/** The schema inside one that makes it optional, nullable or defaulted. */
function innerOf(schema: Schema): Schema | undefined {
  for (const wrapper of [z.ZodMiniOptional, z.ZodMiniNullable, z.ZodMiniDefault, z.ZodMiniReadonly]) {
    if (schema instanceof wrapper) return schema._zod.def.innerType;
  }
  return undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(typeof value === 'object' && value !== null ? value : {});
}
