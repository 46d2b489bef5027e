import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { breaksBetween, releaseRefusals } from '#infra/api/openapi/breaks.ts';
import { sectionOf, textOf } from '#test/support/markdown.ts';
import { openApiText } from '#test/support/openapi.ts';

const releasedText = textOf('released/openapi.json');
const released = JSON.parse(releasedText);

const PAYINS = ['paths', '/api/v1/admin/fiats/{user_id}/payin'];
const schema = (name: string, ...further: readonly string[]) => ['components', 'schemas', name, ...further];
const ofRequest = (...further: readonly string[]) => schema('CreatePayinRequest', ...further);
const ofAnswer = (...further: readonly string[]) => schema('Payin', ...further);
const EVENT = ['webhooks', 'ramp.payin.status_changed'];
const AMOUNT_READ = ofAnswer('properties', 'amount');
const TEXTS = { type: 'array', items: { type: 'string' } };
const eitherOf = (...types: readonly string[]) => ({ anyOf: types.map((type) => ({ type })) });
const AMOUNT = ofRequest('properties', 'amount');
const REPEATABLE = ['paths', '/api/sandbox/deposits', 'post', 'x-repeatable'];
const header = (name: string, ...further: readonly string[]) => ['components', 'headers', name, ...further];

/** The released document with this value at the end of a path; with `undefined`, the value there is removed. */
function changed(path: readonly string[], value: unknown): unknown {
  const copy = JSON.parse(releasedText);
  const parent = path.slice(0, -1).reduce((part, name) => {
    expect(part, path.join()).toHaveProperty([name]);
    return part[name];
  }, copy);
  const last = path.at(-1) ?? '';
  parent[last] = typeof value === 'function' ? value(parent[last]) : value;
  return JSON.parse(JSON.stringify(copy));
}

const and = (more: object) => (old: object) => ({ ...old, ...more });
const plus =
  (...more: readonly unknown[]) =>
  (old: readonly unknown[]) => [...old, ...more];
const minus = (one: unknown) => (old: readonly unknown[]) => old.filter((other) => other !== one);

describe('decisions 14, versions: a client that was written by the last release', () => {
  test('is not broken by the current document: keep what was there, or add beside it', () => {
    expect(breaksBetween(released, JSON.parse(openApiText))).toEqual([]);
  });

  test.each<[string, readonly string[], unknown, string]>([
    ['a route that is gone', PAYINS, undefined, 'POST /api/v1/admin/fiats/{user_id}/payin is gone'],
    ['a method of another name in clients', [...PAYINS, 'get', 'operationId'], 'readPayins', 'another operationId'],
    ['a success that is another one', [...PAYINS, 'post', 'responses', '201'], undefined, 'does not answer 201'],
    [
      'a header that is gone',
      [...PAYINS, 'post', 'responses', '201', 'headers', 'Idempotency-Replayed'],
      undefined,
      'has no Idempotency-Replayed',
    ],
    [
      'a way to authenticate that is gone',
      [...PAYINS, 'get', 'security'],
      [{ oauth2: [] }],
      'does not take {"bearerAuth":[]}',
    ],
    [
      'a public route that needs a token',
      ['paths', '/api/parameters/banks', 'get', 'security'],
      [{ bearerAuth: [] }],
      'does not take {}',
    ],
    [
      'a parameter that is gone',
      [...PAYINS, 'get', 'parameters'],
      (old: readonly unknown[]) => old.slice(0, 2),
      'query limit is gone',
    ],
    [
      'a parameter that is new and required',
      [...PAYINS, 'get', 'parameters'],
      plus({ name: 'zone', in: 'query', required: true, schema: {} }),
      'query zone is required',
    ],
    ['a field of a request that is new and required', ofRequest('required'), plus('reason'), 'body.reason is required'],
    [
      'a field of a request that is gone',
      ofRequest('properties', 'externalReference'),
      undefined,
      'externalReference is gone',
    ],
    [
      'a request that takes less',
      ofRequest('properties', 'amount'),
      { type: 'number', maximum: 1 },
      'amount: maximum is 1',
    ],
    ['a request that takes another type', ofRequest('properties', 'amount', 'type'), 'string', 'amount is string'],
    ['a value that a request no longer takes', schema('PaymentMethod', 'enum'), minus('PSE'), 'has no value PSE'],
    ['a field of an answer that is gone', ofAnswer('properties', 'status'), undefined, 'status is gone'],
    ['a field of an answer that may be absent', ofAnswer('required'), minus('status'), 'body.status may be absent'],
    [
      'a field of an answer that may be null',
      ofAnswer('properties', 'amount', 'type'),
      ['number', 'null'],
      'amount is number or null',
    ],
    ['a request that takes no other field', ofRequest('additionalProperties'), false, 'takes no additionalProperties'],
    ['a request that takes only some other fields', ofRequest('additionalProperties'), { type: 'string' }, 'is string'],
    ['a field of a request with one more condition', AMOUNT, { allOf: [{ maximum: 1 }] }, 'amount: allOf 1 is new'],
    ['a field of a request above a bound', AMOUNT, { type: 'number', exclusiveMinimum: 1 }, 'exclusiveMinimum is 1'],
    ['a header of another type', header('X-Request-Id', 'schema'), { type: 'integer' }, 'X-Request-Id is integer'],
    ['a call that may no longer be repeated', REPEATABLE, undefined, 'is no longer x-repeatable'],
    [
      'another way to send a token',
      ['components', 'securitySchemes', 'bearerAuth'],
      { type: 'apiKey', in: 'header', name: 'X-Token' },
      'The security scheme bearerAuth has changed',
    ],
    [
      'other values in a field of any names',
      schema('OpenApiDocument', 'additionalProperties'),
      false,
      'body takes no additionalProperties',
    ],
    ['an event that is gone', EVENT, undefined, 'ramp.payin.status_changed is gone'],
    ['a header of an event that is gone', [...EVENT, 'post', 'parameters'], [], 'header webhook-id is gone'],
    [
      'a header of an event that may be absent',
      [...EVENT, 'post', 'parameters', '0', 'required'],
      false,
      'header webhook-id may be absent',
    ],
    [
      'a field of an event that is gone',
      schema('PayinStatusChangedEventData', 'properties', 'sequence'),
      undefined,
      'sequence is gone',
    ],
    [
      'a type that is gone in clients',
      schema('PayinStatusChangedEvent'),
      undefined,
      'The schema PayinStatusChangedEvent is gone',
    ],
  ])('is broken by %s', (_, path, value, said) => {
    expect(breaksBetween(released, changed(path, value)).join('\n')).toContain(said);
  });

  test.each<[string, readonly string[], unknown, unknown, string]>([
    ['a body that might be left out', [...PAYINS, 'post', 'requestBody', 'required'], false, true, 'body is required'],
    ['a header that may be absent', header('X-Request-Id', 'required'), true, false, 'X-Request-Id may be absent'],
    ['a list of anything', ofAnswer('properties', 'list'), TEXTS, { type: 'array' }, 'list.items is anything'],
    [
      'one more alternative of an answer',
      AMOUNT_READ,
      eitherOf('number'),
      eitherOf('number', 'null'),
      'anyOf 2 is new',
    ],
  ])('is broken by %s', (_, path, before, after, said) => {
    expect(breaksBetween(changed(path, before), changed(path, after)).join('\n')).toContain(said);
  });

  test.each<[string, readonly string[], unknown]>([
    ['a new route', ['paths', '/api/new'], { get: { operationId: 'getNew', responses: {} } }],
    ['a new method', [...PAYINS, 'patch'], { operationId: 'changePayins', responses: {} }],
    ['a new event', ['webhooks', 'ramp.new'], { post: {} }],
    [
      'a parameter that may be left out',
      [...PAYINS, 'get', 'parameters'],
      plus({ name: 'zone', in: 'query', required: false, schema: {} }),
    ],
    ['a field of a request that may be left out', ofRequest('properties'), and({ note: { type: 'string' } })],
    ['a field of an answer', ofAnswer('properties'), and({ note: { type: 'string' } })],
    ['a field of an answer that is always there now', ofAnswer('required'), plus('externalReference')],
    ['a value of an answer', schema('PayinStatus', 'enum'), plus('HELD')],
    ['another error', [...PAYINS, 'post', 'responses', '418'], { description: '' }],
    ['another text', ofAnswer('description'), 'Something else'],
    ['a request that takes more', AMOUNT, {}],
    ['a condition of an answer', AMOUNT_READ, and({ maximum: 1 })],
    ['a header that is new', header('X-New'), { schema: { type: 'string' } }],
    [
      'a header of an event that is new',
      [...EVENT, 'post', 'parameters'],
      plus({ name: 'x-new', in: 'header', required: true, schema: {} }),
    ],
    ['another text of a scheme', ['components', 'securitySchemes', 'bearerAuth', 'description'], 'Something else'],
    ['an answer that has no other field', ofAnswer('additionalProperties'), false],
  ])('is not broken by %s', (_, path, value) => {
    expect(breaksBetween(released, changed(path, value))).toEqual([]);
  });
});

describe('decisions 14, versions: npm run release', () => {
  const VERSION = ['info', 'version'];
  const last = changed(VERSION, '2.9');

  test.each(['2.10', '3.0'])('accepts a document that only adds, as version %s after 2.9', (version) => {
    expect(releaseRefusals(last, changed(VERSION, version))).toEqual([]);
  });

  test('accepts the same document again', () => {
    expect(releaseRefusals(last, changed(VERSION, '2.9'))).toEqual([]);
  });

  test('refuses two documents of one version, an earlier version, and what breaks clients', () => {
    const same = { ...Object(last), tags: [] };
    expect(releaseRefusals(last, same)).toEqual(['It has changed since 2.9, and its version is 2.9']);
    expect(releaseRefusals(last, changed(VERSION, '2.8'))).toEqual([
      'It has changed since 2.9, and its version is 2.8',
    ]);
    expect(releaseRefusals(last, { ...Object(changed(VERSION, '3.0')), webhooks: {} })).toContain(
      `${EVENT[1]} is gone`,
    );
  });
});

describe('docs/changelog.md', () => {
  const page = textOf('docs/changelog.md');
  const current = JSON.parse(openApiText);
  const routesOf = ({ paths }: { paths: Record<string, object> }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );

  test('begins with the unreleased changes, followed by the version of the released document and of the package', () => {
    const [first, second] = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
    const { version } = JSON.parse(readFileSync(new URL('../../../sdk/package.json', import.meta.url), 'utf8'));
    expect([first, second?.split(',')[0]]).toEqual(['Not released', released.info.version]);
    expect(version).toMatch(new RegExp(`^${current.info.version}\\.\\d+$`));
  });

  test('names each route and each event that was added since the last release', () => {
    const section = sectionOf(page, 'Not released');
    const before = [...routesOf(released), ...Object.keys(released.webhooks)];
    const added = [...routesOf(current), ...Object.keys(current.webhooks)].filter((one) => !before.includes(one));
    expect(added.filter((one) => !section.includes(`\`${one}\``))).toEqual([]);
  });
});
