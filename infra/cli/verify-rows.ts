/** The commands that check by themselves, in their order. */
export const checkCommands = ['preflight', 'smoke', 'try-permissions', 'providers:check'] as const;

export type CheckCommand = (typeof checkCommands)[number];

/** Whether each command succeeded; absent if it was not run. */
export type Outcomes = Readonly<Partial<Record<CheckCommand, boolean>>>;

interface Row {
  readonly id: string;
  readonly what: string;
  /** A command, or a person in words; `undefined` when the page names nobody. */
  readonly who: string | undefined;
}

/** Each row of docs/on-aws.md, with the command or person that checks it by the page's own table. */
export function checklistRows(page: string): readonly Row[] {
  const named = [...page.matchAll(/^\| (`?)([a-z][\w: -]+)\1 \| [^|]+ \| ((?:[A-Z]\d+ ?)+)\|$/gm)];
  const looks = new Map(
    named.flatMap(([, , who = '', ids = '']) =>
      ids
        .trim()
        .split(' ')
        .map((id) => [id, who] as const),
    ),
  );
  const rows = [...page.matchAll(/^\| ([A-Z]\d+) \| ((?:[^|\\]|\\.)+) \|/gm)];
  return rows.map(([, id = '', what = '']) => ({ id, what: plain(what), who: looks.get(id) }));
}

/** A line for each row. Outside production, no command has checked the rows of production alone. */
export function checklistLines(rows: readonly Row[], stage: string, outcomes: Outcomes): readonly string[] {
  return rows.map(({ id, what, who }) => {
    const found = stage !== 'prod' && what.startsWith('Production:') ? {} : outcomes;
    return `${verdictOf(who, found).padEnd(34)} ${id.padEnd(4)} ${what}`;
  });
}

function verdictOf(who: string | undefined, outcomes: Outcomes): string {
  const command = checkCommands.find((one) => one === who);
  if (command === undefined) return `by hand  ${who ?? 'nobody'}`;
  const isWell = outcomes[command];
  const found = isWell === undefined ? 'not run ' : isWell ? 'ok      ' : 'failed  ';
  return `${found} npm run ${command}`;
}

/** The first sentence of a row, without markup. */
function plain(what: string): string {
  return what
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replace(/\. .*$/, '');
}
