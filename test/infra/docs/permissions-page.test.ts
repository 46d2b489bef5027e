import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { permissionsTable } from '#infra/platform/permissions-table.ts';
import { textOf } from '#test/support/markdown.ts';
import { synthesise } from '#test/support/synthesised.ts';

const service = synthesise('prod');
const templates = ['service', 'operators'].map((stack): unknown =>
  JSON.parse(readFileSync(join(service.outdir, `payin-offramp-prod-${stack}.template.json`), 'utf8')),
);
const table = permissionsTable(templates);

describe('what an attacker could do with one function', () => {
  test('is on the page as the template says: if this fails, run npm run permissions', () => {
    expect(textOf('docs/permissions.md')).toContain(`<!-- begin -->\n\n${table}\n\n<!-- end -->`);
  });

  const rows = table.split('\n').slice(2);
  const powersOf = (name: string) => rows.find((row) => row.includes(`\`${name}\``))?.split(' | ')[1] ?? '';

  test('is at most five things for any function', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => row.split('; ').length > 5)).toEqual([]);
  });

  test('is, for the functions that redrive, to put messages into every work queue, and nothing else', () => {
    expect(powersOf('redrive-dead-letters')).toMatch(/^put any message into [\w, ]+ \|$/);
  });

  test('says which functions sign, speak for other services, and change clients', () => {
    const rowsWith = (words: string) =>
      rows.filter((row) => row.includes(words)).map((row) => row.match(/`([\w-]+)`/)?.[1]);
    expect(rowsWith('sign access tokens')).toEqual(['issue-token']);
    expect(rowsWith('publish any event as').sort()).toEqual([
      'operate-clients',
      'publish-overdue-changes',
      'publish-status-changes',
    ]);
    expect(rowsWith('clients, with their secrets').sort()).toEqual(['apply-client-status', 'operate-clients']);
  });
});
