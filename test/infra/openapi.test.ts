import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/endpoints.ts';
import { printedDocument } from '#infra/openapi/document.ts';
import { refusals } from '#shared/domain/refusal.ts';
import { misfit, openApiText, publishedContract } from '#test/support/openapi.ts';

const everyEndpoint = [...endpoints, ...sandboxEndpoints];
const contracts = everyEndpoint.flatMap(({ contract, alsoServes = [] }) => [contract, ...alsoServes]);
const document: unknown = JSON.parse(openApiText);

interface Found {
  readonly path: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** Every object of the document, with the path to it. */
function objectsIn(value: unknown, path: readonly string[] = []): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => objectsIn(one, [...path, String(index)]));
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  if (!object.success) return [];
  const within = Object.entries(object.data).flatMap(([name, one]) => objectsIn(one, [...path, name]));
  return [{ path, value: object.data }, ...within];
}

const media = z.object({
  schema: z.unknown(),
  example: z.optional(z.unknown()),
  examples: z._default(z.record(z.string(), z.object({ value: z.unknown() })), {}),
});

/** Every body that is described, with its examples. */
const bodies = objectsIn(document)
  .filter(({ path }) => path.at(-2) === 'content')
  .map(({ path, value }) => {
    const { example, examples } = media.parse(value);
    const values = [example, ...Object.values(examples).map((one) => one.value)].filter((one) => one !== undefined);
    return { name: path.slice(0, -2).join(' '), schema: [...path, 'schema'], values };
  });

describe('the published contract', () => {
  test('is what the contracts say: if this fails, run npm run openapi', () => {
    expect(openApiText === printedDocument()).toBe(true);
  });

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(openApiText)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('that says something else would fail that check', async () => {
    const broken = openApiText.replaceAll('"operationId"', '"operationID"').replace('"paths"', '"path"');
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  test('has every route of the service under each of its paths, and no other', () => {
    const published = Object.entries(publishedContract.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = contracts.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((one) => `${method} ${one}`),
    );
    expect(published.sort()).toEqual(declared.sort());
  });

  test('names every operation, and no two alike', () => {
    const ids = Object.values(publishedContract.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('refers to nothing that is not there', () => {
    const found = objectsIn(document);
    const paths = new Set(found.map(({ path }) => `#/${path.join('/')}`));
    const referred = found.map(({ value }) => value['$ref']).filter((target) => typeof target === 'string');
    expect(referred).not.toEqual([]);
    expect(referred.filter((target) => !paths.has(target))).toEqual([]);
  });

  test.each(contracts)('has the status of every refusal: $name', ({ method, path, refusals: codes }) => {
    const { responses = {} } = publishedContract.paths[path]?.[method.toLowerCase()] ?? {};
    const statuses = codes.map((code) => String(refusals[code][0]));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...statuses, '429', '500']));
  });
});

describe('the examples of the published contract', () => {
  test.each(bodies)('are there, and fit their schema: $name', ({ schema, values }) => {
    expect(values).not.toEqual([]);
    expect(values.map((value) => misfit(schema, value))).toEqual(values.map(() => ''));
  });

  test('that have a field too many or too few would fail that check', () => {
    const schema = ['components', 'schemas', 'Bank'];
    const bank = { id: 'x', code: '1', name: 'X', status: 'true' };
    expect(misfit(schema, bank)).toBe('');
    expect(misfit(schema, { ...bank, colour: 'red' })).not.toBe('');
    expect(misfit(schema, { ...bank, id: undefined })).not.toBe('');
  });
});
