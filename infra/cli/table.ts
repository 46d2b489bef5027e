/** An answer as people read it: names beside values, and lists as tables where they fit, else item by item. */
export function table(answer: unknown, width = 160): string {
  return linesOf(answer, width).join('\n');
}

function linesOf(answer: unknown, columns: number): readonly string[] {
  if (!isObject(answer)) return [text(answer)];
  const entries = Object.entries(answer).filter(([, value]) => value !== undefined);
  const flat = entries.filter(([, value]) => !isNested(value));
  const nested = entries.filter(([, value]) => isNested(value));
  const width = Math.max(0, ...flat.map(([name]) => name.length));
  return [
    ...flat.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`),
    ...nested.flatMap(([name, value]) => ['', name, ...nestedLines(value, columns - INDENT.length).map(indented)]),
  ];
}

function nestedLines(value: unknown, columns: number): readonly string[] {
  if (!Array.isArray(value)) return linesOf(value, columns);
  const items = value.filter(isObject);
  const rows = rowsOf(items);
  if (rows.every((row) => row.length <= columns)) return rows;
  return items.flatMap((item, position) => [...(position === 0 ? [] : ['']), ...linesOf(item, columns)]);
}

function rowsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => text(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const INDENT = '  ';

const indented = (line: string) => (line === '' ? '' : `${INDENT}${line}`);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNested(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(isObject));
}

function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(text).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, one]) => `${name} ${text(one)}`)
      .join(', ');
  return escapeInvisible(String(value));
}

/** Shows a client's text without letting it move the cursor: characters that could appear as their number. */
export function escapeInvisible(input: string): string {
  return input.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
