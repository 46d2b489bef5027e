import { expect, test } from 'vitest';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { withRouteTables } from '#infra/api/openapi/route-tables.ts';
import type { Access } from '#shared/platform/http/contract.ts';
import { sectionOf, textOf } from '#test/support/markdown.ts';
import { publishedContract, unpublishedContracts } from '#test/support/openapi.ts';

const page = textOf('docs/api.md');
const rows = [...sectionOf(page, 'Routes').matchAll(/^\| \[`(\S+ \S+)`\]\((\S+)\) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, route = '', code = '', who = '', does = '']) => ({ route, code, who, does }),
);

const sorted = (texts: readonly string[]) => texts.toSorted((one, other) => one.localeCompare(other));

test('the table of routes has every route of openapi.json and those for people and providers, each once, and no other', () => {
  const published = Object.entries(publishedContract.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const others = unpublishedContracts.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((one) => `${method} ${one}`),
  );
  expect(sorted(rows.map(({ route }) => route))).toEqual(sorted([...published, ...others]));
});

test('the table of routes matches the contracts: if this fails, run npm run openapi', () => {
  expect(withRouteTables(page)).toBe(page);
});

const callers: Readonly<Record<Access, string>> = {
  public: 'anyone',
  client: 'client',
  'approved-client': 'approved client',
  provider: 'provider',
  operator: 'operator',
};

const served = [...endpoints, ...sandboxEndpoints].flatMap(({ contract, alsoServes = [], folder }) =>
  [contract, ...alsoServes].flatMap((one) =>
    [one.path, ...(one.aliases ?? [])].map((path) => ({ route: `${one.method} ${path}`, folder, access: one.access })),
  ),
);

test.each(served)('the table of routes says who may call $route, and links its code', ({ route, folder, access }) => {
  const row = rows.find((one) => one.route === route);
  expect(row).toMatchObject({ code: `../functions/${folder}`, who: callers[access] });
});

test('the example of the typed client is type-checked and run', () => {
  expect(textOf('docs/sdk.md')).toContain(`\`\`\`ts\n${textOf('test/support/typed-client-example.ts')}\`\`\`\n`);
});
