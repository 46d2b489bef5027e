import * as z from 'zod/mini';
import type { Found } from '#test/support/json-parts.ts';
import { nameOf, type Rule, testRules } from '#test/support/openapi-rule.ts';

const operation = z.object({
  tags: z._default(z.array(z.string()), []),
  security: z._default(z.array(z.record(z.string(), z.unknown())), []),
});
const body = z.object({ content: z.record(z.string(), z.unknown()) });
const errors = z.object({
  content: z.record(z.string(), z.object({ schema: z.unknown(), examples: z.record(z.string(), z.unknown()) })),
});
const responses = z.record(z.string(), z.object({ $ref: z.optional(z.string()) }));
const tag = z.object({ name: z.string() });

const operationsAmong = (found: readonly Found[]) =>
  found.filter(({ path }) => path.length === 3 && ['paths', 'webhooks'].includes(path[0] ?? ''));
const isEvent = ({ path }: Found) => path[0] === 'webhooks';
const tagsOf = (one: Found) => operation.parse(one.value).tags;
const isTokenRequest = ({ path }: Found) => path[0] === 'paths' && /\/token$/.test(path[1] ?? '');
const schemesOf = ({ value }: Found) => operation.parse(value).security.flatMap((scheme) => Object.keys(scheme));

const PROBLEM = '{"$ref":"#/components/schemas/Problem"}';
const event = ['webhooks', 'ramp.payin.status_changed', 'post'];
const route = ['paths', '/api/infoClient', 'get'];

testRules([
  {
    says: 'an error is the one Problem, which names its codes in words and by examples',
    faults: (found) => [
      ...found.filter((one) => isSharedError(one) && !isProblemWithCodes(one.value)).map(nameOf),
      ...found
        .filter(({ path }) => path[0] === 'paths' && path.length === 4 && path[3] === 'responses')
        .flatMap(errorsOfTheirOwn),
    ],
    broken: [['components', 'responses', 'NotFound'], { description: '', content: {} }],
  },
  {
    says: 'events are in a section of their own: generators would lose the routes that share one with them',
    faults: (found) => {
      const all = operationsAmong(found);
      const tagsOfEvents = new Set(all.filter(isEvent).flatMap(tagsOf));
      return all.filter((one) => !isEvent(one) && tagsOf(one).some((name) => tagsOfEvents.has(name))).map(nameOf);
    },
    broken: [[...event, 'tags'], ['Webhooks']],
  },
  {
    says: 'every section is described once, and has something in it',
    faults: (found) => {
      const described = found.filter(({ path }) => path.length === 2 && path[0] === 'tags');
      const names = described.map(({ value }) => tag.parse(value).name);
      const used = [...new Set(operationsAmong(found).flatMap(tagsOf))];
      return JSON.stringify(names.toSorted()) === JSON.stringify(used.toSorted()) ? [] : names;
    },
    broken: [[...route, 'tags'], ['Notifications']],
  },
  {
    says: 'a body has one media type',
    faults: (found) =>
      found
        .filter(
          ({ path, value }) => path.at(-1) === 'requestBody' && Object.keys(body.parse(value).content).length !== 1,
        )
        .map(nameOf),
    broken: [['paths', '/api/token', 'post', 'requestBody', 'content', 'application/json'], {}],
  },
  {
    says: 'a call of a client takes an access token, which OAuth clients obtain by themselves',
    faults: (found) =>
      operationsAmong(found)
        .filter((one) => !isEvent(one) && !isTokenRequest(one) && schemesOf(one).length > 0)
        .filter((one) => schemesOf(one).join() !== 'oauth2,bearerAuth')
        .map(nameOf),
    broken: [[...route, 'security'], [{ bearerAuth: [] }]],
  },
  {
    says: 'a token request may have its credentials as HTTP Basic',
    faults: (found) =>
      operationsAmong(found)
        .filter((one) => isTokenRequest(one) && schemesOf(one).join() !== 'clientBasic')
        .map(nameOf),
    broken: [['paths', '/api/token', 'post', 'security'], []],
  },
  {
    says: 'what providers send and what only people open is left out',
    faults: (found) =>
      operationsAmong(found)
        .filter(({ path }) => /notifications$|^\/api\/docs/.test(path[1] ?? ''))
        .map(nameOf),
    broken: [['paths', '/api/docs', 'get'], { operationId: 'getDocs' }],
  },
] satisfies readonly Rule[]);

const isSharedError = ({ path }: Found) => path.length === 3 && path[0] === 'components' && path[1] === 'responses';

function isProblemWithCodes(response: Found['value']): boolean {
  const contents = Object.values(errors.parse(response).content);
  return (
    contents.length > 0 &&
    contents.every(({ schema, examples }) => {
      const codes = Object.keys(examples);
      const isNamed = codes.every((code) => String(response['description']).includes(`\`${code}\``));
      return JSON.stringify(schema) === PROBLEM && codes.length > 0 && isNamed;
    })
  );
}

function errorsOfTheirOwn({ path, value }: Found): readonly string[] {
  const own = Object.entries(responses.parse(value)).filter(
    ([status, { $ref }]) => status >= '400' && $ref === undefined,
  );
  return own.map(([status]) => [...path, status].join(' '));
}
