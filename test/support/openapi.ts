import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { PROBLEM_MEDIA_TYPE } from '#shared/platform/http/answer.ts';
import type { Contract } from '#shared/platform/http/contract.ts';

/** The published contract, to which the tests hold the service. */
export const openApiText = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

const media = z.object({ schema: z.record(z.string(), z.unknown()) });
const reference = z.object({ $ref: z.string() });
const header = z.object({ required: z._default(z.boolean(), false) });
const response = z.object({
  headers: z._default(z.record(z.string(), reference), {}),
  content: z._default(z.record(z.string(), media), {}),
});
const operation = z.object({
  operationId: z.string(),
  description: z._default(z.string(), ''),
  responses: z.record(z.string(), z.union([reference, response])),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});

export const publishedContract = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({
      responses: z.record(z.string(), response),
      headers: z.record(z.string(), header),
    }),
  })
  .parse(JSON.parse(openApiText));

const contracts = [...endpoints, ...sandboxEndpoints].flatMap(({ contract, alsoServes = [] }) => [
  contract,
  ...alsoServes,
]);

/** Not for clients' programs: the routes of providers, in their own formats, and the page for people with its files. */
export const unpublishedContracts = contracts.filter(
  ({ access, success }) => access === 'provider' || success.mediaTypes !== undefined,
);

export const publishedContracts = contracts.filter((contract) => !unpublishedContracts.includes(contract));

const DOCUMENT = 'openapi.json';
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(JSON.parse(openApiText, closed), DOCUMENT);

/** Refuses unknown fields. A client accepts them, but an answer of the service with any is not described completely. */
function closed(_: string, value: unknown): unknown {
  const object = z.looseObject({ type: z.literal('object'), properties: z.unknown() }).safeParse(value);
  return object.success && object.data['properties'] !== undefined
    ? { additionalProperties: false, ...object.data }
    : value;
}

/** The errors of a value by the schema at this path of the document; empty if the value fits. */
export function schemaErrors(pathToSchema: readonly string[], value: unknown): string {
  const pointer = pathToSchema.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).map(encodeURIComponent);
  const ref = `${DOCUMENT}#/${pointer.join('/')}`;
  const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
  return validate(value) ? '' : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The difference between an answer of the service and the published contract; empty if there is none. */
export function differenceFromContract(method: string, path: string, answer: Answer): string {
  const { pathname } = new URL(path, 'http://service.invalid');
  const template = templateOf(pathname, Object.keys(publishedContract.paths));
  const verb = method.toLowerCase();
  const described = template === undefined ? undefined : publishedContract.paths[template]?.[verb];
  const other = unpublishedContracts.find(
    (one) => one.method === method && templateOf(pathname, [one.path, ...(one.aliases ?? [])]) !== undefined,
  );
  if (other !== undefined) return differenceFromUnpublished(other, answer);
  if (template === undefined || described === undefined) return differenceFromProblem(answer);
  const expected = described.responses[answer.status];
  if (expected === undefined) return `The status is not documented: ${answer.text}`;
  if (!('$ref' in expected)) {
    return differenceFrom(expected, ['paths', template, verb, 'responses', String(answer.status)], answer);
  }
  const name = expected.$ref.replace('#/components/responses/', '');
  const shared = publishedContract.components.responses[name];
  if (shared === undefined) return `There is no ${expected.$ref}.`;
  return differenceFrom(shared, ['components', 'responses', name], answer);
}

/** The path of the document that matches a called path; one with fewer parameters has priority. */
function templateOf(pathname: string, templates: readonly string[]): string | undefined {
  return templates
    .filter((template) =>
      new RegExp(
        `^${template
          .replaceAll('.', '\\.')
          .replaceAll(/\{\w+\}/g, '[^/]+')
          .replaceAll(/\{\w+\+\}/g, '.+')}$`,
      ).test(pathname),
    )
    .sort((one, other) => one.split('{').length - other.split('{').length)[0];
}

function differenceFrom(expected: z.infer<typeof response>, pathToIt: readonly string[], answer: Answer): string {
  const missing = Object.keys(expected.headers).filter(
    (name) => publishedContract.components.headers[name]?.required === true && !answer.headers.has(name),
  );
  if (missing.length > 0) return `There is no header ${missing.join(', ')}.`;
  const type = mediaTypeOf(answer);
  if (Object.keys(expected.content).length === 0) return answer.text === '' ? '' : `There is a body: ${answer.text}`;
  if (expected.content[type] === undefined) return `The type ${type} is not documented.`;
  return schemaErrors([...pathToIt, 'content', type, 'schema'], isJson(type) ? JSON.parse(answer.text) : answer.text);
}

function isJson(type: string): boolean {
  return type === 'application/json' || type === PROBLEM_MEDIA_TYPE;
}

/** Compares an answer that only people or providers read with its contract. */
function differenceFromUnpublished({ success, cacheSeconds }: Contract, answer: Answer): string {
  if (cacheSeconds !== undefined && answer.status === 304)
    return answer.text === '' ? '' : `There is a body: ${answer.text}`;
  if (answer.status !== success.status) return differenceFromProblem(answer);
  const type = mediaTypeOf(answer);
  const types = success.mediaTypes ?? ['application/json'];
  if (!types.includes(type)) return `The type ${type} is not that of the contract.`;
  const { error } = success.body.safeParse(isJson(type) ? JSON.parse(answer.text) : answer.text);
  return error === undefined ? '' : error.message;
}

/** A route that does not exist is answered with a problem like everything else that fails. */
function differenceFromProblem(answer: Answer): string {
  const type = mediaTypeOf(answer);
  if (type !== PROBLEM_MEDIA_TYPE) return `There is no such route, and the type of the answer is ${type}.`;
  return schemaErrors(['components', 'schemas', 'Problem'], JSON.parse(answer.text));
}

function mediaTypeOf({ headers }: Answer): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
}
