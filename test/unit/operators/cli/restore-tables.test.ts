import { expect, test } from 'vitest';
import { restoredName, windowFault } from '#infra/cli/restore-tables.ts';

const [first, last] = [new Date('2026-10-23T10:00:00Z'), new Date('2026-11-27T09:55:00Z')];

test.each([
  ['2026-10-23T10:00:00Z', undefined],
  ['2026-11-27T09:55:00Z', undefined],
  ['2026-10-23T09:59:59Z', 'from 2026-10-23T10:00:00.000Z to 2026-11-27T09:55:00.000Z'],
  // The last five minutes cannot be restored yet.
  ['2026-11-27T09:55:01Z', 'from 2026-10-23T10:00:00.000Z to 2026-11-27T09:55:00.000Z'],
])('decisions 4, putting back: whether a table can be restored to %s', (at, fault) => {
  const said = windowFault(first, last, at);
  if (fault === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(fault);
});

test('a table without backups can be restored to no second', () => {
  expect(windowFault(undefined, undefined, '2026-11-27T09:00:00Z')).toContain('no backups');
});

test('the name of a restored table says to which second, also when it is restored again', () => {
  const once = restoredName('payin-offramp-prod-data-Tablesclients-1A2B3C', '2026-11-27T09:00:00Z');
  expect(once).toBe('payin-offramp-prod-data-Tablesclients-1A2B3C-20261127T090000Z');
  expect(restoredName(once, '2026-11-28T10:11:12Z')).toBe(
    'payin-offramp-prod-data-Tablesclients-1A2B3C-20261128T101112Z',
  );
});
