import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

const locked = z.object({
  integrity: z.optional(z.string()),
  /** An address from which it is fetched, in place of the registry that is configured. */
  resolved: z.optional(z.string()),
  /** It comes inside another package, whose digest holds for it too. */
  inBundle: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
  hasInstallScript: z.optional(z.boolean()),
  optional: z.optional(z.boolean()),
  os: z.optional(z.union([z.string(), z.array(z.string())])),
  cpu: z.optional(z.union([z.string(), z.array(z.string())])),
  engines: z.optional(z.object({ node: z.optional(z.string()) })),
});
const lockfile = z.object({ packages: z.record(z.string(), locked) });
const textOf = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const { packages } = lockfile.parse(JSON.parse(textOf('package-lock.json')));
const { allowScripts, optionalDependencies } = z
  .object({
    allowScripts: z.record(z.string(), z.boolean()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(textOf('package.json')));
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

test('whatever has an install script is named, with whether it may run', () => {
  const scripted = fetched.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.sort()).toEqual(Object.keys(allowScripts).sort());
});

test('the Node that runs everything comes for the system that it is for, by its own digest and no script', () => {
  const systems = Object.keys(optionalDependencies).map((name) => {
    const { os, cpu, optional, hasInstallScript, integrity } = packages[`node_modules/${name}`] ?? {};
    expect({ optional, hasInstallScript, integrity }).toEqual({
      optional: true,
      hasInstallScript: undefined,
      integrity: expect.stringMatching(/^sha512-/),
    });
    return `${os} ${cpu}`;
  });
  expect(systems.sort()).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']);
  expect(Object.values(optionalDependencies).filter((version) => !/^(24|26)\.\d+\.\d+$/.test(version))).toEqual([]);
});

describe('the oldest Node that the README names', () => {
  const [, oldest = ''] = /Node ≥ ([\d.]+), Python/.exec(textOf('README.md')) ?? [];

  test('is taken by every package, so that npm ci warns of nothing', () => {
    const wanting = Object.entries(packages).flatMap(([path, { engines }]) => {
      const range = engines?.node ?? '*';
      return admits(range, oldest) ? [] : [`${path}: ${range}`];
    });
    expect(wanting).toEqual([]);
  });

  test.each([
    ['*', true],
    ['>= 18', true],
    ['>=0.6.11 <=0.7.0 || >=0.7.3', true],
    ['18 || 20 || >=22', true],
    ['^20.19.0 || >=22.12.0', true],
    ['^22.18.0 || >=24.11.0', true],
    ['^22.19.0 || >=24.11.0', false],
    ['^20.0.0 || >=23.5', false],
    ['18 || 20', false],
    ['>=14.x', true],
    ['>=22.18.1', false],
  ])('%s: %s', (range, admitted) => {
    expect(admits(range, '22.18')).toBe(admitted);
  });
});

/** As npm reads a range, as far as packages here use it. */
function admits(range: string, version: string): boolean {
  return range.split('||').some((part) =>
    part
      .replaceAll(/([<>=^~])\s+/g, '$1')
      .trim()
      .split(/\s+/)
      .every((comparator) => meets(comparator, version)),
  );
}

function meets(comparator: string, version: string): boolean {
  const [, operator = '', wanted = ''] = /^([<>=^~]*)(.*)$/.exec(comparator) ?? [];
  if (wanted === '*' || comparator === '') return true;
  const [one, other] = [numbersOf(version), numbersOf(wanted)];
  const difference = one.map((number, index) => number - (other[index] ?? 0)).find((by) => by !== 0) ?? 0;
  if (operator === '>=') return difference >= 0;
  if (operator === '<=') return difference <= 0;
  if (operator === '^') return difference >= 0 && one[0] === other[0];
  if (operator === '') return wanted.split('.').every((part, index) => part === 'x' || Number(part) === one[index]);
  throw new Error(`Nothing here has used ${comparator} so far.`);
}

function numbersOf(version: string): readonly number[] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number(part) || 0);
  return [major, minor, patch];
}
