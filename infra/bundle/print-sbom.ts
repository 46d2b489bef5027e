import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { bundleFunctions } from './bundle-functions.ts';
import { bundledPackages } from './bundled-packages.ts';
import { sbomOf } from './sbom.ts';

const project = z
  .object({ name: z.string(), version: z.string(), license: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
const directory = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  const packages = bundledPackages(await bundleFunctions(directory));
  process.stdout.write(`${JSON.stringify(sbomOf({ ...project, licence: project.license }, packages), null, 2)}\n`);
} finally {
  rmSync(directory, { recursive: true });
}
