import * as z from 'zod/mini';

type JsonObject = Readonly<Record<string, unknown>>;

export interface Found {
  readonly path: readonly string[];
  readonly value: JsonObject;
}

const object = z.record(z.string(), z.unknown());

/** Every object in a JSON value, with the path to it. */
export function objectsIn(value: unknown, path: readonly string[] = []): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => objectsIn(one, [...path, String(index)]));
  const parsed = object.safeParse(value);
  if (!parsed.success) return [];
  const within = Object.entries(parsed.data).flatMap(([name, one]) => objectsIn(one, [...path, name]));
  return [{ path, value: parsed.data }, ...within];
}

/** A JSON object with another value at the end of a path; without one when the value is `undefined`. */
export function changedAt(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const before = object.parse(value);
  return { ...before, [name]: changedAt(before[name] ?? {}, rest, to) };
}
