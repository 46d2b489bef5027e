import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { synthesise } from '#test/support/synthesised.ts';

const page = readFileSync(new URL('../../../docs/on-aws.md', import.meta.url), 'utf8');
const stages = [synthesise('staging'), synthesise('prod')];

describe('the commands for a real account', () => {
  const outputs = stages.flatMap((service) => Object.keys(service.outputs));
  const asked = [...page.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name);

  test('ask for outputs that the stack has', () => {
    expect(asked).toContain('ClientsUsagePlanId');
    expect(asked.filter((name) => !outputs.includes(name ?? ''))).toEqual([]);
  });

  const named = [...page.matchAll(/\$\(named (\w+) (\w+::\w+)\)/g), ...page.matchAll(/(\w+Function)(?=[ ;])/g)];
  const ids = stages.flatMap((service) =>
    service.resources.map(({ type, path }) => ({ type, id: path.replaceAll(/\W/g, '') })),
  );

  test.each(named.map(([, begin = '', type = 'Lambda::Function']) => [begin, type]))(
    'name something that is in the stack: %s, %s',
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
