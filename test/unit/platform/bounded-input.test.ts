import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openApiText } from '#test/support/openapi.ts';

const objects = z._default(z.record(z.string(), z.unknown()), {});
const schema = z.looseObject({
  $ref: z.optional(z.string()),
  type: z.optional(z.unknown()),
  properties: objects,
  anyOf: z._default(z.array(z.unknown()), []),
});
const operation = z.object({
  parameters: z._default(z.array(z.object({ name: z.optional(z.string()), schema: z.optional(z.unknown()) })), []),
  requestBody: z.optional(z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) })),
});
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(JSON.parse(openApiText));

const operations = Object.values(paths).flatMap((path) => Object.values(path));

/** Names of texts in a schema that may have any length. */
function endlessTexts(name: string, described: unknown): readonly string[] {
  const { $ref, type, properties, anyOf, ...rules } = schema.parse(described);
  if ($ref !== undefined) return endlessTexts(name, components.schemas[$ref.replace('#/components/schemas/', '')]);
  const isBounded = 'enum' in rules || 'const' in rules || 'maxLength' in rules || rules['format'] === 'uuid';
  return [
    ...([type].flat().includes('string') && !isBounded ? [name] : []),
    ...anyOf.flatMap((one) => endlessTexts(name, one)),
    ...Object.entries(properties).flatMap(([property, one]) => endlessTexts(property, one)),
  ];
}

describe('a text of a request has a greatest length, or is never kept as it came', () => {
  test('in the body of every route', () => {
    const endless = operations.flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap((media) => endlessTexts('body', media.schema)),
    );
    expect([...new Set(endless)].sort()).toEqual([
      // A decimal of at most 49 characters.
      'amount',
      // The code of an active bank.
      'bank',
      // Both are compared with the stored client.
      'client_id',
      'client_secret',
      // Ten digits.
      'phone',
    ]);
  });

  test('in paths and queries of every route, where ids are looked for only when they look like one', () => {
    const endless = operations.flatMap(({ parameters }) =>
      parameters.flatMap(({ name = '', schema: described }) => endlessTexts(name, described ?? {})),
    );
    expect([...new Set(endless)].sort()).toEqual(['cursor', 'delivery_id', 'deposit_id', 'event_id', 'webhook_id']);
  });
});
