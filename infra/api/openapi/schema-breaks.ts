/** A part of a document of OpenAPI, or of a schema in it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The side that writes a described value: a client must not be asked for more than before, and must not get less. */
type Writer = 'client' | 'service';

export interface Pair {
  /** Where the schema is, in words for people. */
  readonly at: string;
  readonly writer: Writer;
  /** Follow references in the released document, and in the current one. */
  readonly inReleased: (value: unknown) => JsonObject;
  readonly inCurrent: (value: unknown) => JsonObject;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isJsonObject(value) ? Object.entries(value) : [];
export const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const namesIn = (value: unknown): readonly string[] => arrayOrEmpty(value).map(String);

const without = (some: readonly unknown[], others: readonly unknown[]) => some.filter((one) => !others.includes(one));

/** 1 where a larger value accepts more, as a maximum does; -1 where it accepts less, as a minimum does. */
const bounds = {
  maximum: 1,
  maxLength: 1,
  maxItems: 1,
  minimum: -1,
  minLength: -1,
  minItems: -1,
  exclusiveMaximum: 1,
  exclusiveMinimum: -1,
} as const;

/** Lists changes of a schema that break a program written against the released one; texts and examples do not count. */
export function schemaBreaks(
  released: unknown,
  current: unknown,
  pair: Pair,
  above: readonly string[] = [],
): readonly string[] {
  // A recursive schema is compared once.
  const names = `${refOf(released)} ${refOf(current)}`;
  if (refOf(released) !== undefined && above.includes(names)) return [];
  const [old, now] = [pair.inReleased(released), pair.inCurrent(current)];
  const inside = (name: string, one: unknown, other: unknown) =>
    schemaBreaks(one, other, { ...pair, at: `${pair.at}.${name}` }, [...above, names]);
  return [
    ...ownBreaks(old, now, pair),
    ...entriesOf(old['properties']).flatMap(([name, property]) => {
      const other = isJsonObject(now['properties']) ? now['properties'][name] : undefined;
      return other === undefined ? [`${pair.at}.${name} is gone`] : inside(name, property, other);
    }),
    ...['items', 'additionalProperties', 'propertyNames'].flatMap((name) => {
      const [one, other] = [old[name], now[name]];
      // A client that reads answers does not miss values that the released schema never described.
      const wasOpen = pair.writer === 'client' ? one !== false : isJsonObject(one);
      if (other === false) return wasOpen ? [`${pair.at} takes no ${name}`] : [];
      return one !== false && (isJsonObject(one) || isJsonObject(other)) ? inside(name, one, other) : [];
    }),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
      const [had, has] = [arrayOrEmpty(old[name]), arrayOrEmpty(now[name])];
      // A request may have one more alternative, and an answer may meet one more condition.
      const mayGrow = had.length > 0 && (name === 'allOf') === (pair.writer === 'service');
      const gone = had.map((one) => !has.some((other) => inside(name, one, other).length === 0));
      const isNew = has.map((other) => !(mayGrow || had.some((one) => inside(name, one, other).length === 0)));
      return [
        ...gone.flatMap((is, place) => (is ? [`${pair.at}: ${name} ${place + 1} is gone`] : [])),
        ...isNew.flatMap((is, place) => (is ? [`${pair.at}: ${name} ${place + 1} is new`] : [])),
      ];
    }),
  ];
}

const refOf = (value: unknown) => (isJsonObject(value) ? value['$ref'] : undefined);

/** Compares a schema itself, not the schemas inside it. */
function ownBreaks(old: JsonObject, now: JsonObject, { at, writer }: Pair): readonly string[] {
  const isClients = writer === 'client';
  const [required, requires] = [namesIn(old['required']), namesIn(now['required'])];
  return [
    ...typeBreaks(old, now, isClients).map((what) => `${at} ${what}`),
    ...valueBreaks(valuesOf(old), valuesOf(now), isClients).map((what) => `${at} ${what}`),
    ...(isClients
      ? without(requires, required).map((name) => `${at}.${name} is required`)
      : without(required, requires).map((name) => `${at}.${name} may be absent`)),
    ...Object.entries(bounds).flatMap(([name, sign]) =>
      takesLess(old[name], now[name], isClients ? sign : -sign, isClients) ? [`${at}: ${name} is ${now[name]}`] : [],
    ),
    ...['pattern', 'format', 'multipleOf'].flatMap((name) => {
      const [before, after] = isClients ? [now[name], old[name]] : [old[name], now[name]];
      return before === undefined || before === after ? [] : [`${at}: ${name} is ${now[name]}`];
    }),
  ];
}

function typeBreaks(old: JsonObject, now: JsonObject, isClients: boolean): readonly string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  // The reader accepts every type that the writer may send: the service reads by the current document, a client by the
  // released one.
  const [accepted, sent] = isClients ? [after, before] : [before, after];
  if (accepted.length === 0) return [];
  return sent.length === 0 || without(sent, accepted).length > 0 ? [`is ${after.join(' or ') || 'anything'}`] : [];
}

/** The types that a schema allows; empty if it allows any. */
const typesOf = ({ type }: JsonObject): readonly unknown[] => (type === undefined ? [] : [type].flat());

/** A list of values may gain some and lose none. A request must not get a new list, nor an answer lose its list. */
function valueBreaks(
  had: readonly unknown[] | undefined,
  has: readonly unknown[] | undefined,
  isClients: boolean,
): readonly string[] {
  if (had !== undefined && has !== undefined) return without(had, has).map((value) => `has no value ${value}`);
  if (isClients) return has === undefined ? [] : ['takes only some values'];
  return had === undefined ? [] : ['has any value'];
}

function valuesOf({ enum: values, const: value }: JsonObject): readonly unknown[] | undefined {
  if (value !== undefined) return [value];
  return Array.isArray(values) ? values : undefined;
}

/** True if a bound changed against the client: stricter or new in a request, looser or gone in an answer. */
function takesLess(before: unknown, after: unknown, sign: number, isClients: boolean): boolean {
  if (before === after) return false;
  if (typeof before !== 'number' || typeof after !== 'number')
    return isClients ? after !== undefined : after === undefined;
  return (after - before) * sign < 0;
}
