import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { command } from '#shared/platform/http/command.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { OMITTED_VALUE, personal, withoutPersonalData } from '#shared/platform/http/personal.ts';

describe('decisions 11, who changed it: what is personal is kept as the names of its fields', () => {
  const payer = personal(z.partial(z.object({ fullName: z.string(), email: z.string() })));
  const said = { fullName: 'Example Payer', email: 'payer@example.com' };

  test.each<[string, z.ZodMiniType, unknown, unknown]>([
    [
      'of an object',
      z.object({ id: z.string(), payer }),
      { id: '1', payer: said },
      { id: '1', payer: Object.keys(said) },
    ],
    ['of a value', z.object({ holder: personal(z.string()) }), { holder: 'Example Payer' }, { holder: OMITTED_VALUE }],
    [
      'of a value that may be left out, and has a check of its own',
      z.object({ a: z.optional(personal(z.string()).check(z.maxLength(99))), b: z._default(personal(z.string()), '') }),
      { a: 'Example Payer', b: 'Example Payer' },
      { a: OMITTED_VALUE, b: OMITTED_VALUE },
    ],
    [
      'deep within what is not',
      z.object({ orders: z.array(z.object({ amount: z.string(), to: z.object({ payer: z.nullable(payer) }) })) }),
      { orders: [{ amount: '5', to: { payer: said } }] },
      { orders: [{ amount: '5', to: { payer: Object.keys(said) } }] },
    ],
    ['of a list', z.object({ payers: personal(z.array(payer)) }), { payers: [said] }, { payers: OMITTED_VALUE }],
    [
      'whose names are somebody’s own words',
      z.object({ named: personal(z.record(z.string(), z.string())) }),
      { named: { 'Example Payer': 'yes' } },
      { named: OMITTED_VALUE },
    ],
    [
      'of whose parts its schema says nothing',
      z.object({ any: z.unknown(), one: z.union([z.string(), payer]), id: z.string() }),
      { any: said, one: said, id: '1' },
      { any: OMITTED_VALUE, one: OMITTED_VALUE, id: '1' },
    ],
  ])('%s', (_, schema, value, kept) => {
    expect(withoutPersonalData(schema, value)).toEqual(kept);
    expect(JSON.stringify(withoutPersonalData(schema, value))).not.toMatch(/Example Payer|payer@example/);
  });
});

/** Names of fields that say something of a person, unless one is in this list. */
const OF_A_PERSON =
  /name|surname|mail|phone|mobile|document|identification|birth|nationality|gender|holder|beneficiary|payer|person|contact|iban|account|datavalue/i;
/** The name under which a business trades. */
const OF_NO_PERSON = ['tradeName'];

/** The fields whose text a command would keep in the audit if every field held a person's name. */
function unmarked(contract: Contract): readonly string[] {
  const schema = z.toJSONSchema(contract.body, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // The audit keeps only the names of marked fields, so there is nothing to search below them.
      if (
        withoutPersonalData(zodSchema, 'a name') === OMITTED_VALUE ||
        Array.isArray(withoutPersonalData(zodSchema, {}))
      ) {
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
        jsonSchema['marked'] = true;
      }
    },
  });
  return namesIn(schema);
}

function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  const { properties = {}, ...others } = z
    .looseObject({ properties: z.optional(z.record(z.string(), z.unknown())) })
    .parse(schema);
  const own = Object.entries(properties)
    .filter(
      ([name, one]) =>
        OF_A_PERSON.test(name) && !OF_NO_PERSON.includes(name) && !JSON.stringify(one).includes('"marked"'),
    )
    .map(([name]) => name);
  return [...own, ...Object.values(properties).flatMap(namesIn), ...Object.values(others).flatMap(namesIn)];
}

const changes = operatorRoutes.filter(({ contract }) => contract.method !== 'GET');

test.each(changes)('decisions 11, who changed it: $contract.name marks what it takes of a person', ({ contract }) => {
  expect(unmarked(contract)).toEqual([]);
});

test('decisions 11, who changed it: a command that takes a person unmarked is found, at whatever depth', () => {
  const taking = (input: z.ZodMiniType) =>
    unmarked(command({ name: 'new-command', summary: '', input, subject: [], answer: z.object({}), errors: [] }));
  const holder = z.object({ fullName: z.string() });
  expect(taking(z.object({ id: z.string(), holder }))).toEqual(['holder', 'fullName']);
  expect(taking(z.object({ orders: z.array(z.object({ to: z.optional(holder) })) }))).toEqual(['fullName']);
  expect(taking(z.object({ one: z.union([z.string(), holder]) }))).toEqual(['fullName']);
  expect(taking(z.object({ holder: personal(holder), email: z.optional(personal(z.string())) }))).toEqual([]);
});
