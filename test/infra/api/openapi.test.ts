import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { printedDocument } from '#infra/api/openapi/openapi-document.ts';
import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import { objectsIn } from '#test/support/json-parts.ts';
import {
  openApiText,
  publishedContract,
  publishedContracts,
  schemaErrors,
  unpublishedContracts,
} from '#test/support/openapi.ts';

const document: unknown = JSON.parse(openApiText);

const bounds = z.object({ minimum: z.number(), maximum: z.number() });
const named = z.record(z.string(), z.object({ properties: z.optional(z.unknown()) }));
const { schemas } = z.object({ components: z.object({ schemas: named }) }).parse(document).components;

const media = z.object({
  schema: z.unknown(),
  example: z.optional(z.unknown()),
  examples: z._default(z.record(z.string(), z.object({ value: z.unknown() })), {}),
});

const optionalBody = z.object({ required: z.literal(false), content: z.unknown() });

/** Every body that is described, with its examples. */
const bodies = objectsIn(document)
  .filter(({ path }) => path.at(-2) === 'content')
  .map(({ path, value }) => {
    const { example, examples } = media.parse(value);
    const values = [example, ...Object.values(examples).map((one) => one.value)].filter((one) => one !== undefined);
    return { name: path.slice(0, -2).join(' '), schema: [...path, 'schema'], values };
  });

describe('the published contract', () => {
  test('matches the contracts: if this fails, run npm run openapi', () => {
    expect(openApiText === printedDocument()).toBe(true);
  });

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(openApiText)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('leaves out the routes of providers and the pages for people, and nothing else', () => {
    expect(unpublishedContracts.map(({ name }) => name).sort()).toEqual([
      'get-docs',
      'receive-custodian-notification',
      'receive-rail-notification',
    ]);
  });

  test('says which routes refuse unknown fields of a body: only those of the sandbox (decisions 3)', () => {
    const refusing = publishedContracts.filter(({ body }) =>
      body.safeParse({ unknown: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys'),
    );
    const inSandbox = publishedContracts.filter(({ path }) => path.startsWith('/api/sandbox/'));
    expect(refusing.map(({ name }) => name)).toEqual(inSandbox.map(({ name }) => name));
    expect(openApiText).toContain('Unknown fields of a request are ignored, except in the sandbox');
  });

  test('lets a body be left out where a call without one is served', () => {
    const lacking = publishedContracts.filter(({ mayLackBody }) => mayLackBody);
    const optional = objectsIn(document).filter(({ value }) => optionalBody.safeParse(value).success);
    expect(lacking.map(({ name }) => name)).toEqual(['return-deposit']);
    expect(optional.map(({ path }) => path[1])).toEqual(lacking.map(({ path }) => path));
    expect(lacking.every(({ body }) => body.safeParse({}).success)).toBe(true);
  });

  test('has every route for clients under each of its paths, and no other', () => {
    const described = Object.entries(publishedContract.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = publishedContracts.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((one) => `${method} ${one}`),
    );
    expect(described.sort()).toEqual(declared.sort());
  });

  test('names every operation, and no two alike', () => {
    const ids = Object.values(publishedContract.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has no reference that leads nowhere', () => {
    const found = objectsIn(document);
    const paths = new Set(found.map(({ path }) => `#/${path.join('/')}`));
    const referred = found.map(({ value }) => value['$ref']).filter((target) => typeof target === 'string');
    expect(referred).not.toEqual([]);
    expect(referred.filter((target) => !paths.has(target))).toEqual([]);
  });

  test('gives the amount of a pay-in the bounds of the payment methods', () => {
    const { amount } = z.object({ amount: bounds }).parse(schemas['CreatePayinRequest']?.properties);
    const ofMethods = Object.values(paymentMethods);
    expect(amount.minimum).toBe(Math.min(...ofMethods.map(({ minimum }) => minimum)));
    expect(amount.maximum).toBe(Math.max(...ofMethods.map(({ maximum }) => maximum)));
  });

  test('describes every operation', () => {
    const silent = Object.entries(publishedContract.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { description }]) => description === '')
        .map(([method]) => `${method} ${path}`),
    );
    expect(silent).toEqual([]);
  });

  test.each(publishedContracts)('has the status of every error: $name', ({ method, path, errors }) => {
    const { responses = {} } = publishedContract.paths[path]?.[method.toLowerCase()] ?? {};
    const statuses = errors.map(({ status }) => String(status));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...statuses, '429', '500']));
  });
});

describe('the examples of the published contract', () => {
  test.each(bodies)('exist and fit their schema: $name', ({ schema, values }) => {
    expect(values).not.toEqual([]);
    expect(values.map((value) => schemaErrors(schema, value))).toEqual(values.map(() => ''));
  });
});
