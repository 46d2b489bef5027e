import { expect, test } from 'vitest';
import { checkSettings } from '#infra/stage/read-settings.ts';
import { sectionOf, textOf } from '#test/support/markdown.ts';

const table = sectionOf(textOf('docs/deploying.md'), 'Settings');
const rows = [...table.matchAll(/^\| `(\w+)` \| [^|]+ \| (required|) ?\|$/gm)].map(([, name = '', required]) => ({
  name,
  isRequired: required === 'required',
}));
const production: Readonly<Record<string, unknown>> = JSON.parse(textOf('infra/settings/examples/prod.json'));

const check = (settings: object) => () => checkSettings('prod.json', JSON.stringify(settings), 'prod');

test('the table of settings has every setting of the repository and more', () => {
  const names = rows.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(production)));
  expect(names.length).toBeGreaterThan(Object.keys(production).length);
});

test.each(rows)('the setting $name is known, and required in production as the table says', ({ name, isRequired }) => {
  expect(check({ ...production, [name]: null })).toThrow(`${name} is missing or not in its format`);
  const without = Object.fromEntries(Object.entries(production).filter(([one]) => one !== name));
  if (isRequired) expect(check(without)).toThrow('production');
  else expect(check(without)).not.toThrow();
});
