import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { bundledPackages } from '#infra/bundle/bundled-packages.ts';
import { sbomOf } from '#infra/bundle/sbom.ts';
import { bundles } from '#test/support/synthesised.ts';

/** Licences that oblige their users neither to publish their code nor to license it the same way. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

const packages = bundledPackages(bundles);
const { dependencies } = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));

test('every third-party package in a function has a licence that permits this use', () => {
  expect(packages.filter(({ licence }) => !ALLOWED.includes(licence))).toEqual([]);
});

test('every dependency is in a function; packages for building and testing are in none', () => {
  const names = packages.map(({ name }) => name);
  expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => /^(@types|vitest|esbuild|aws-cdk|constructs|typescript|node-)/.test(name))).toEqual([]);
});

test('the bill of materials has the fields by which GitHub recognises CycloneDX', () => {
  expect(sbomOf({ name: 'service', version: '1.0.0', licence: 'Apache-2.0' }, [])).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  });
});

test('the bill of materials names each package with its version, its licence and its digest in the lockfile', () => {
  const { components } = sbomOf({ name: 'service', version: '1.0.0', licence: 'Apache-2.0' }, packages);
  expect(components).toHaveLength(packages.length);
  const zod = packages.find(({ name }) => name === 'zod');
  expect(components.find(({ name }) => name === 'zod')).toEqual({
    type: 'library',
    'bom-ref': `pkg:npm/zod@${dependencies['zod']}`,
    name: 'zod',
    version: dependencies['zod'],
    licenses: [{ license: { id: 'MIT' } }],
    purl: `pkg:npm/zod@${dependencies['zod']}`,
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  });
  expect(zod?.integrity).toMatch(/^sha512-/);
  expect(components.map(({ purl }) => purl)).toContain(
    `pkg:npm/%40aws-sdk/client-kms@${dependencies['@aws-sdk/client-kms']}`,
  );
});
