import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const locked = z.object({
  integrity: z.optional(z.string()),
  /** URL from which the package is fetched instead of the configured registry. */
  resolved: z.optional(z.string()),
  /** True if the package comes inside another one, whose digest covers it. */
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

test('every package with an install script is listed, with whether it may run', () => {
  const scripted = fetched.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(scripted.map(([path]) => path.replace(/^.*node_modules\//, '')));
  expect([...names].sort()).toEqual(Object.keys(allowScripts).sort());
});

test('the Node that runs everything comes for the system that it is for, by its own digest and no script', () => {
  const runtimes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node'));
  const systems = runtimes.map(([name]) => {
    const { os, cpu, optional, hasInstallScript, integrity } = packages[`node_modules/${name}`] ?? {};
    expect({ optional, hasInstallScript, integrity }).toEqual({
      optional: true,
      hasInstallScript: undefined,
      integrity: expect.stringMatching(/^sha512-/),
    });
    return `${os} ${cpu}`;
  });
  expect(systems.sort()).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']);
  expect(runtimes.filter(([, version]) => !/^(24|26)\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('every package takes the oldest Node that the README names, so that npm ci warns of nothing', () => {
  const [, oldest = ''] = /Node ≥ ([\d.]+), Python/.exec(textOf('README.md')) ?? [];
  const wanting = Object.entries(packages).flatMap(([path, { engines }]) => {
    const range = engines?.node ?? '*';
    return satisfies(`${oldest}.0`, range) ? [] : [`${path}: ${range}`];
  });
  expect(wanting).toEqual([]);
});
