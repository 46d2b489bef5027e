/** Names of fields in the input that the command does not know: a mistyped one would be ignored silently. */
export function unknownFields(given: unknown, taken: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof given !== 'object' || given === null) return [];
  const known = new Map(Object.entries(taken ?? {}));
  return Object.entries(given).flatMap(([name, value]) =>
    known.has(name) ? unknownFields(value, known.get(name), [...path, name]) : [[...path, name].join('.')],
  );
}
