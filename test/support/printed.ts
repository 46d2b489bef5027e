/** Commands of a document, each with what it prints. */
export interface Step {
  readonly command: string;
  /** Absent if the command prints nothing. */
  readonly printed?: string;
}

/** The blocks of commands of a page, each with the output that the page shows below it. */
export function stepsOf(page: string): readonly Step[] {
  const blocks = [...page.matchAll(/^```(bash|text)\n(.*?)^```$/gms)].map(([, kind, text = '']) => ({ kind, text }));
  return blocks.flatMap(({ kind, text }, position) => {
    if (kind !== 'bash') return [];
    const next = blocks[position + 1];
    return [next?.kind === 'text' ? { command: text, printed: next.text } : { command: text }];
  });
}

const NAME = /<([a-z-]+)>/g;

/** Replaces the names in a text by their known values. */
export function filledIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(NAME, (whole, name: string) => values.get(name) ?? whole);
}

/** The values that were printed in place of names; `undefined` if the output does not match. */
export function valuesIn(printed: string, expected: string): ReadonlyMap<string, string> | undefined {
  const names: string[] = [];
  const pattern = expected.split(/(<[a-z-]+>|…)/).map((part) => {
    const name = /^<([a-z-]+)>$/.exec(part)?.[1];
    if (part === '…') return '.*?';
    if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    names.push(name);
    return String.raw`([^\s"]+)`;
  });
  const found = new RegExp(`^${pattern.join('')}$`, 's').exec(printed);
  return found ? new Map(names.map((name, position) => [name, found[position + 1] ?? ''])) : undefined;
}
