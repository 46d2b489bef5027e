import * as z from 'zod/mini';
import { client, contact, person } from '#shared/contracts/client-info.ts';
import type { Contract } from '#shared/contracts/contract.ts';
import { delivery } from '#shared/contracts/delivery.ts';
import { noContent } from '#shared/contracts/fields.ts';
import { getOfframpHash, verification } from '#shared/contracts/offramp-hash.ts';
import { operation, operationWithHistory } from '#shared/contracts/operation.ts';
import { pageLimit } from '#shared/contracts/page-limit.ts';
import { bank, token } from '#shared/contracts/parameters.ts';
import { payin, payinWithHistory } from '#shared/contracts/payin.ts';
import { problem } from '#shared/contracts/problem.ts';
import { webhook } from '#shared/contracts/webhook.ts';
import { registerWebhook } from '#shared/contracts/webhook-management.ts';
import { pascalCase } from './names.ts';

/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

/** Schemas that several answers share or that clients know by a name. */
const named: Readonly<Record<string, z.ZodMiniType>> = {
  Problem: problem,
  Client: client,
  Person: person,
  Contact: contact,
  Payin: payin,
  PayinWithHistory: payinWithHistory,
  Operation: operation,
  OperationWithHistory: operationWithHistory,
  HashStatus: getOfframpHash.success.body,
  Verification: verification,
  Bank: bank,
  Token: token,
  Webhook: webhook,
  WebhookWithSecret: registerWebhook.success.body,
  Delivery: delivery,
};

/** What is answered, as schemas under names, and a way to refer to each of them. */
export interface AnswerSchemas {
  readonly components: Json;
  readonly refer: (answer: z.ZodMiniType) => Json;
}

/** Names every answer of the contracts that has no name yet after its contract: `ListPayinsAnswer`. */
export function answerSchemas(contracts: readonly Contract[]): AnswerSchemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  for (const { name, success } of contracts) {
    if (success.body !== noContent && !registry.has(success.body))
      registry.add(success.body, { id: `${pascalCase(name)}Answer` });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: publish,
  });
  const components = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]);
  return {
    components: Object.fromEntries(components),
    refer: (answer) => ({ $ref: `#/components/schemas/${registry.get(answer)?.id}` }),
  };
}

/** What may be sent, or one event, where it is used. */
export function inlineSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const {
    $schema,
    '~standard': _,
    ...inline
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: publish,
  });
  return inline;
}

const publishedFormats = ['uuid', 'date-time', 'uri'];

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Takes out what says the same twice, or what only this implementation knows. */
const publish: Override = ({ zodSchema, jsonSchema }) => {
  if (publishedFormats.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  else delete jsonSchema.format;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Generators of clients know a value by `enum`; few know `const`.
  if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const];
  delete jsonSchema.const;
  // An answer may gain fields, and a request may have more than is read.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // What a number becomes that no double can hold has no type in JSON.
  if (jsonSchema.anyOf) jsonSchema.anyOf = jsonSchema.anyOf.filter((branch) => Object.keys(branch).length > 0);
  if (zodSchema._zod.def.type === 'catch') delete jsonSchema.default;
  if (Object.is(zodSchema, pageLimit)) {
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: 20 });
  }
};
