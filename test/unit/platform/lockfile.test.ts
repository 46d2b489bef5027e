import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const locked = z.object({
  integrity: z.optional(z.string()),
  /** An address from which it is fetched, in place of the registry that is configured. */
  resolved: z.optional(z.string()),
  /** It comes inside another package, whose digest holds for it too. */
  inBundle: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
});
const lockfile = z.object({ packages: z.record(z.string(), locked) });
const { packages } = lockfile.parse(
  JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')),
);
const fetched = Object.entries(packages).filter(([path, { inBundle, link }]) => path !== '' && !inBundle && !link);

test('every package that is fetched, for any system, has a digest by which a changed one is refused', () => {
  expect(fetched.length).toBeGreaterThan(300);
  const without = fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(without.map(([path]) => path)).toEqual([]);
});

test('no package is fetched from elsewhere than the registry', () => {
  const elsewhere = fetched.filter(([, { resolved }]) => resolved !== undefined);
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});
