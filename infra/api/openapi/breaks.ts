import { isDeepStrictEqual } from 'node:util';
import { arrayOrEmpty, entriesOf, isJsonObject, type JsonObject, type Pair, schemaBreaks } from './schema-breaks.ts';

/**
 * Lists the changes that break a client written against the released document; empty if the current one only adds
 * (decisions 14, Versions).
 */
export function breaksBetween(released: unknown, current: unknown): readonly string[] {
  const [inReleased, inCurrent] = [followIn(released), followIn(current)];
  const [old, now] = [inReleased(released), inCurrent(current)];
  const both = { inReleased, inCurrent };
  return [
    ...entriesOf(inReleased(old['components'])['schemas']).flatMap(([name]) =>
      inCurrent(inCurrent(now['components'])['schemas'])[name] === undefined ? [`The schema ${name} is gone`] : [],
    ),
    ...entriesOf(inReleased(old['components'])['securitySchemes']).flatMap(([name, scheme]) =>
      isDeepStrictEqual(meantBy(scheme), meantBy(inCurrent(inCurrent(now['components'])['securitySchemes'])[name]))
        ? []
        : [`The security scheme ${name} has changed`],
    ),
    ...methodsIn(old['paths']).flatMap(([path, method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const other = inCurrent(inCurrent(now['paths'])[path])[method];
      return isJsonObject(other)
        ? operationBreaks(inReleased(operation), other, { ...both, at, writer: 'client' })
        : [`${at} is gone`];
    }),
    ...methodsIn(old['webhooks']).flatMap(([type, method, operation]) => {
      const other = inCurrent(inCurrent(now['webhooks'])[type])[method];
      const pair: Pair = { ...both, at: type, writer: 'service' };
      if (!isJsonObject(other)) return [`${type} is gone`];
      return [
        ...parameterBreaks(inReleased(operation), other, pair),
        ...contentBreaks(inReleased(operation)['requestBody'], other['requestBody'], pair),
      ];
    }),
  ];
}

/** Lists the reasons why the current document cannot be the next release. */
export function releaseRefusals(released: unknown, current: unknown): readonly string[] {
  const [had, has] = [versionOf(released), versionOf(current)];
  const isAsItWas = isDeepStrictEqual(released, current);
  return [
    ...breaksBetween(released, current),
    ...(isAsItWas || byNumbers(had, has) < 0 ? [] : [`It has changed since ${had}, and its version is ${has}`]),
  ];
}

function versionOf(document: unknown): string {
  const follow = followIn(document);
  return String(follow(follow(document)['info'])['version']);
}

const byNumbers = new Intl.Collator('en', { numeric: true }).compare;

const meantBy = (scheme: unknown) => (isJsonObject(scheme) ? { ...scheme, description: undefined } : scheme);

function methodsIn(value: unknown): readonly (readonly [string, string, unknown])[] {
  return entriesOf(value).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => [path, method, operation] as const),
  );
}

function operationBreaks(old: JsonObject, now: JsonObject, pair: Pair): readonly string[] {
  const { at } = pair;
  return [
    ...(old['operationId'] === now['operationId'] ? [] : [`${at} has another operationId`]),
    ...(old['x-repeatable'] === true && now['x-repeatable'] !== true ? [`${at} is no longer x-repeatable`] : []),
    ...schemesOf(old).flatMap((scheme) =>
      schemesOf(now).some((other) => JSON.stringify(other) === JSON.stringify(scheme))
        ? []
        : [`${at} does not take ${JSON.stringify(scheme)}`],
    ),
    ...parameterBreaks(old, now, pair),
    ...contentBreaks(old['requestBody'], now['requestBody'], pair),
    ...entriesOf(old['responses']).flatMap(([status, answer]) => {
      const other = pair.inCurrent(now['responses'])[status];
      const where: Pair = { ...pair, at: `${at} ${status}`, writer: 'service' };
      if (other !== undefined) return answerBreaks(answer, other, where);
      return Number(status) < 400 ? [`${at} does not answer ${status}`] : [];
    }),
  ];
}

/** A route without a list of schemes is public, like one whose list has an empty scheme. */
function schemesOf({ security }: JsonObject): readonly unknown[] {
  const schemes = arrayOrEmpty(security);
  return schemes.length === 0 ? [{}] : schemes;
}

function parameterBreaks(old: JsonObject, now: JsonObject, pair: Pair): readonly string[] {
  const named = (list: unknown, follow: (value: unknown) => JsonObject) =>
    new Map(
      arrayOrEmpty(list)
        .map(follow)
        .map((one) => [`${one['in']} ${one['name']}`, one]),
    );
  const [had, has] = [named(old['parameters'], pair.inReleased), named(now['parameters'], pair.inCurrent)];
  return [
    ...[...had].flatMap(([name, one]) => {
      const other = has.get(name);
      const at = `${pair.at} ${name}`;
      return other === undefined ? [`${at} is gone`] : schemaBreaks(one['schema'], other['schema'], { ...pair, at });
    }),
    ...[...new Set([...had.keys(), ...has.keys()])].flatMap((name) =>
      requiredBreaks(had.get(name), has.get(name), pair.writer).map((what) => `${pair.at} ${name} ${what}`),
    ),
  ];
}

/** Compares `required`: a request must not require more than before, nor an answer guarantee less. */
function requiredBreaks(old: JsonObject = {}, now: JsonObject = {}, writer: Pair['writer']): readonly string[] {
  const [before, after] = [old['required'] === true, now['required'] === true];
  if (before === after) return [];
  if (writer === 'client') return after ? ['is required'] : [];
  return before ? ['may be absent'] : [];
}

function answerBreaks(old: unknown, now: unknown, pair: Pair): readonly string[] {
  const has = pair.inCurrent(pair.inCurrent(now)['headers']);
  return [
    ...entriesOf(pair.inReleased(old)['headers']).flatMap(([name, header]) => {
      const at = `${pair.at} ${name}`;
      const [one, other] = [pair.inReleased(header), pair.inCurrent(has[name])];
      if (has[name] === undefined) return [`${pair.at} has no ${name}`];
      return [
        ...requiredBreaks(one, other, pair.writer).map((what) => `${at} ${what}`),
        ...schemaBreaks(one['schema'], other['schema'], { ...pair, at }),
      ];
    }),
    ...contentBreaks(old, now, pair),
  ];
}

/** Compares the body of a request or of an answer. */
function contentBreaks(old: unknown, now: unknown, pair: Pair): readonly string[] {
  const [had, has] = [pair.inReleased(old), pair.inCurrent(now)];
  return [
    ...requiredBreaks(had, has, pair.writer).map((what) => `${pair.at} body ${what}`),
    ...entriesOf(had['content']).flatMap(([type, media]) => {
      const other = pair.inCurrent(has['content'])[type];
      if (!isJsonObject(other)) return [`${pair.at} has no ${type}`];
      return schemaBreaks(pair.inReleased(media)['schema'], other['schema'], { ...pair, at: `${pair.at} body` });
    }),
  ];
}

/** Follows a reference into a document; a value that is no object becomes an empty part. */
function followIn(document: unknown): (value: unknown) => JsonObject {
  return function follow(value): JsonObject {
    if (!isJsonObject(value)) return {};
    const { $ref } = value;
    if (typeof $ref !== 'string') return value;
    const [, ...names] = $ref.split('/');
    return follow(names.reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), document));
  };
}
