/** Names in what was given that are in nothing that is taken: mistyped, they would be left out without a word. */
export function unknownFields(given: unknown, taken: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof given !== 'object' || given === null) return [];
  const known = new Map(Object.entries(taken ?? {}));
  return Object.entries(given).flatMap(([name, value]) =>
    known.has(name) ? unknownFields(value, known.get(name), [...path, name]) : [[...path, name].join('.')],
  );
}
