import { code, element, facts, section, table } from './elements.ts';
import { plain, wordsOf } from './lists.ts';

/** The view of any answer: names beside values, and lists as tables. */
export function answerView(answer: unknown): HTMLElement {
  const entries = entriesOf(answer);
  const flat = entries.filter(([, value]) => !isNested(value));
  return element(
    'div',
    {},
    facts(flat.map(([name, value]) => [wordsOf(name), shownValue(value)])),
    ...entries
      .filter(([, value]) => isNested(value))
      .map(([name, value]) => section(wordsOf(name), nested(name, value))),
  );
}

function nested(name: string, value: unknown): HTMLElement {
  if (!Array.isArray(value)) return facts(entriesOf(value).map(([key, one]) => [wordsOf(key), shownValue(one)]));
  const fields = [...new Set(value.flatMap((one) => entriesOf(one).map(([key]) => key)))];
  const rows = value.map((one) => fields.map((field) => shownValue(Object.fromEntries(entriesOf(one))[field])));
  return table(wordsOf(name), fields.map(wordsOf), rows);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isNested) : entriesOf(value).length > 0;
}

function shownValue(value: unknown): Node | undefined {
  const shown = plain(value);
  return typeof shown === 'string' ? code(shown) : shown;
}
