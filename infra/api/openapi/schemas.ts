import * as z from 'zod/mini';
import {
  type FieldText,
  schemaNames as names,
  type ObjectText,
  objectTexts,
  valuesTexts,
} from '#shared/platform/http/document.ts';
import { pageLimit } from '#shared/platform/http/fields.ts';

/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

const REFERENCE = '#/components/schemas/';

/** The remark on every named list of values. */
const OPEN = 'Values may be added: a program must accept unknown ones.';

/**
 * The schema of every object and list of values that a contract or an event names, by its name.
 *
 * @param sent bodies of requests, described as they may be sent; all others are described as they are answered
 */
export function namedSchemas(sent: ReadonlySet<z.ZodMiniType>): Json {
  const [input, output] = [generated('input'), generated('output')];
  const objects = [...objectTexts].map(([schema, text]) => {
    const { [text.name]: json } = sent.has(schema) ? input : output;
    return [text.name, withTexts(objectJson.parse(json), text)];
  });
  const lists = [...valuesTexts.values()].map(({ name, description, values }) => {
    const meanings = Object.entries(values).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
    return [name, { ...output[name], description: `${description}\n\n${meanings.join('\n')}\n\n${OPEN}` }];
  });
  return Object.fromEntries([...objects, ...lists].sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

function generated(io: 'input' | 'output'): Readonly<Record<string, Json>> {
  const { schemas } = z.toJSONSchema(names, {
    io,
    unrepresentable: 'any',
    uri: (name) => `${REFERENCE}${name}`,
    override: publish,
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]));
}

const objectJson = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})),
  required: z._default(z.array(z.string()), []),
});

function withTexts({ properties, required, ...rest }: z.infer<typeof objectJson>, text: ObjectText): Json {
  const fields = fieldsOf(text);
  const needed = required.filter((name) => !isOptional(fields[name]));
  return {
    ...rest,
    description: text.description,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, withText(property, fields[name] ?? '')]),
    ),
    ...(needed.length > 0 && { required: needed }),
  };
}

function fieldsOf({ fields, base }: ObjectText): ObjectText['fields'] {
  const inherited = base === undefined ? undefined : objectTexts.get(base);
  return { ...(inherited && fieldsOf(inherited)), ...fields };
}

function isOptional(text: FieldText | undefined): boolean {
  return typeof text === 'object' && text.isOptional === true;
}

function withText(property: Json, text: FieldText): Json {
  if (typeof text === 'string') return { ...property, description: text };
  const { isOptional: _, ...facts } = text;
  const { anyOf, ...single } = property;
  return { ...(facts.type === undefined ? property : single), ...facts };
}

/** A reference to a named schema; any other schema inline. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const name = names.get(schema)?.id;
  if (name !== undefined) return { $ref: `${REFERENCE}${name}` };
  const {
    $schema,
    $defs,
    '~standard': _,
    ...inline
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: names, override: publish });
  return JSON.parse(JSON.stringify(inline).replaceAll('#/$defs/', REFERENCE));
}

const publishedFormats = ['uuid', 'date-time'];

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Removes what is redundant in the published schema, or internal to this implementation. */
const publish: Override = ({ zodSchema, jsonSchema }) => {
  if (publishedFormats.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  else delete jsonSchema.format;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Generators of clients know a value by `enum`; few know `const`.
  if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const];
  // Generators support `enum` only for text: one with `true` does not compile in Java.
  if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
  delete jsonSchema.const;
  // An answer may gain fields, and a request may have unknown ones.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // A number that a double cannot hold is no JSON type: that branch is empty.
  if (jsonSchema.anyOf) jsonSchema.anyOf = jsonSchema.anyOf.filter((branch) => Object.keys(branch).length > 0);
  if (zodSchema._zod.def.type === 'catch') delete jsonSchema.default;
  const values = nullableValues(zodSchema);
  if (values !== undefined) {
    // Generators cannot handle `anyOf` of a list of values, or of a time, and null.
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { type: ['string', 'null'], enum: [...values, null] });
  }
  if (isNullableTime(zodSchema)) {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { type: ['string', 'null'], format: 'date-time' });
  }
  if (Object.is(zodSchema, pageLimit)) {
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: 20 });
  }
};

function isNullableTime(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodMiniNullable && schema._zod.def.innerType instanceof z.ZodMiniISODateTime;
}

function nullableValues(schema: z.core.$ZodType): readonly unknown[] | undefined {
  if (!(schema instanceof z.ZodMiniNullable)) return undefined;
  const { innerType } = schema._zod.def;
  return innerType instanceof z.ZodMiniEnum ? Object.values(innerType._zod.def.entries) : undefined;
}
