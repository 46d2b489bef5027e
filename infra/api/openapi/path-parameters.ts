import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';
import { type Json, schemaOf } from './schemas.ts';

const objectSchema = z.object({
  properties: z._default(z.record(z.string(), z.record(z.string(), z.unknown())), {}),
  required: z._default(z.array(z.string()), []),
});

interface Described {
  readonly description: string;
  readonly example?: string;
}

/** Texts and examples by the name of the parameter, which means the same on every route. */
const described: Readonly<Record<string, Described>> = {
  user_id: { description: 'A user of the client.', example: '6c1f0d5e-8a4b-4f6e-9d57-2f1c3b0a7e11' },
  operation_id: { description: 'An off-ramp of the user.', example: '0b9d7c3a-51e2-4b8f-8c46-7a2e9f10d3b4' },
  deposit_id: { description: 'A deposit of the off-ramp.', example: '4a1e7c92-0d3b-8f56-9b28-c6e5f1a7d093' },
  payin_id: { description: 'A pay-in of the user.', example: 'e2a4c6d8-1b3f-4d5e-9a7c-0f2b4d6e8a13' },
  clientId: { description: "The client's own id.", example: '3fa85f64-5717-4562-b3fc-2c963f66afa6' },
  webhook_id: { description: 'A webhook of the client.', example: '9d2b1c44-6f0e-4a8b-b1d7-5e3c7a90f2d1' },
  delivery_id: { description: 'A delivery of the webhook.', example: 'dlv_5c1e8a7d9b2f4036a1c4e7f80d6b3952' },
  event_id: {
    description: 'An event of the client.',
    example: 'evt_AAAAAAULnXw6UeJLj4xGei6fENO0cmFtcC5vcGVyYXRpb24uc3RhdHVzX2NoYW5nZWQ',
  },
  after: { description: 'Opaque: the `nextCursor` of the last page that was read, with any `type`.' },
  type: { description: 'Only those of this type.' },
  without: { description: 'Leaves out the events of webhooks, which some generators do not understand.' },
  status: { description: 'Only those with this status.' },
  externalReference: { description: 'Only those with this reference of the client.' },
  limit: { description: 'The maximum number of entries of a page.' },
  cursor: { description: 'Opaque: the `nextCursor` of the previous page, with any filters.' },
};

/** The parameters of a route's path and query. */
export function describeParameters({ path, pathParameters, query }: Contract): readonly Json[] {
  const inPath = propertiesOf(pathParameters);
  const inQuery = propertiesOf(query);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => parameter(name, 'path', true, inPath.properties[name])),
    ...Object.entries(inQuery.properties).map(([name, schema]) =>
      parameter(name, 'query', inQuery.required.includes(name), schema),
    ),
  ];
}

function propertiesOf(schema: z.ZodMiniType) {
  return objectSchema.parse(schemaOf(schema, 'input'));
}

function parameter(name: string, where: 'path' | 'query', required: boolean, schema: Json = { type: 'string' }): Json {
  const known = described[name];
  if (known === undefined)
    throw new Error(`Say in infra/api/openapi/path-parameters.ts what the parameter ${name} is.`);
  return { name, in: where, required, ...known, schema };
}
