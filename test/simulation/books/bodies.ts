/** Returns the string at a path inside a JSON document; `undefined` if there is none, or the text is no JSON. */
export function textIn(json: string | undefined, ...names: readonly string[]): string | undefined {
  const found = names.reduce(member, parsed(json));
  return typeof found === 'string' ? found : undefined;
}

/** A caller may send anything. */
function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
