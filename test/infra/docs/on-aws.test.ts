import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkCommands, checklistLines, checklistRows } from '#infra/cli/verify-rows.ts';
import { evaluate } from '#test/simulation/alarms/expression.ts';
import { pages, sectionOf, textOf } from '#test/support/markdown.ts';
import { synthesise } from '#test/support/synthesised.ts';

const page = readFileSync(new URL('../../../docs/on-aws.md', import.meta.url), 'utf8');
const stages = [synthesise('staging'), synthesise('prod')];

describe('npm run verify', () => {
  const rows = checklistRows(page);
  const ids = rows.map(({ id }) => id);
  const named = sectionOf(page, 'Who looks').match(/\b[A-Z]\d+\b/g) ?? [];

  test('has a line for each row of the page: a command checks it, or the page names the person who does', () => {
    expect(rows.length).toBeGreaterThan(70);
    expect(rows.filter(({ who }) => who === undefined)).toEqual([]);
    const tables = page.split('\n').filter((line) => /^\| [^|]*\d[^|]* \| /.test(line));
    expect(ids).toHaveLength(tables.filter((line) => !line.startsWith('| not yet')).length);
  });

  test('has each row once, and no row that the page no longer has', () => {
    expect(ids.toSorted()).toEqual([...new Set(ids)].sort());
    expect(named.toSorted()).toEqual(ids.toSorted());
  });

  test('says for each row what its command found, that it was not run, or who checks it by hand', () => {
    const said = new Map(
      checklistLines(rows, 'staging', { preflight: true, smoke: false }).map((line, at) => [ids[at], line]),
    );
    expect(checkCommands.filter((one) => !rows.some(({ who }) => who === one))).toEqual([]);
    expect(said.get('B1')).toMatch(/^ok +npm run preflight +B1 +The account is bootstrapped/);
    expect(said.get('B6')).toMatch(/^not run +npm run preflight +B6 +Production: /);
    expect(said.get('G16')).toMatch(/^failed +npm run smoke/);
    expect(said.get('P1')).toMatch(/^not run +npm run try-permissions/);
    expect(said.get('G1')).toMatch(/^by hand +who deploys/);
  });
});

describe('the commands for a real account', () => {
  const outputs = stages.flatMap((service) => Object.keys(service.outputs));
  const asked = [...page.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name);

  test('read outputs that the stack has', () => {
    expect(asked).toContain('ClientsUsagePlanId');
    expect(asked.filter((name) => !outputs.includes(name ?? ''))).toEqual([]);
  });

  const named = [...page.matchAll(/\$\(named (\w+) (\w+::\w+)\)/g), ...page.matchAll(/(\w+Function)(?=[ ;])/g)];
  const ids = stages.flatMap((service) =>
    service.resources.map(({ type, path }) => ({ type, id: path.replaceAll(/\W/g, '') })),
  );

  test.each(named.map(([, begin = '', type = 'Lambda::Function']) => [begin, type]))(
    'name a resource of the stack: %s, %s',
    (begin, type) => {
      expect(ids.filter((one) => one.type === `AWS::${type}` && one.id.startsWith(begin))).not.toEqual([]);
    },
  );

  test('name the key of access tokens', () => {
    const aliases = stages.flatMap((service) => service.resources.filter(({ type }) => type === 'AWS::KMS::Alias'));
    const names = aliases.map(({ properties }) => properties['AliasName']);
    expect(page).toContain('alias/$DATA/AccessTokenKey');
    expect(names).toContain('alias/payin-offramp-staging-data/AccessTokenKey');
  });
});

test('the alarm on other signers counts root and users, whose calls name no role', () => {
  const [, typed = ''] = /--filter-pattern "\{ (.*"Sign.*) \}" \\$/m.exec(page.replaceAll('\\"', '"')) ?? [];
  const pattern = typed.replaceAll('\\$', '$').replace('resources[0]', 'resources.0');
  const isCounted = (userName?: string) =>
    evaluate(pattern, (field) => {
      const known = { eventName: 'Sign', ARN: '$KEY_ARN', userName };
      return Object.entries(known).find(([name]) => field.endsWith(`.${name}`))?.[1];
    });
  expect([isCounted(), isCounted('another'), isCounted('$ROLE')]).toEqual([1, 1, 0]);
});

// In names of 64 characters CloudFormation cuts the stack's name after 25: a loop over such functions would find none.
test.each(pages)('%s searches for no function by the full name of its stack', (page) => {
  const named = textOf(page).matchAll(/:function:(\S+)/g);
  const longest = (name = '') => name.replace('<stage>', 'prod').split(/-?['"*]/)[0]?.length ?? 0;
  expect([...named].map(([, name]) => name).filter((name) => name?.startsWith('$') || longest(name) > 25)).toEqual([]);
});

test('each skipped rule of checkov has its explanation, and no other rule has one', () => {
  const settings = readFileSync(new URL('../../../.checkov.yaml', import.meta.url), 'utf8');
  const answered = [...page.matchAll(/^- (CKV_\w+) \([^)]+\): /gm)].map(([, id]) => id);
  expect(answered).toEqual(settings.match(/CKV_\w+/g));
});
