import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { FunctionBundles } from './bundle-functions.ts';

/** A third-party package of which some code is deployed. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly licence: string;
  /** `sha512-` and the digest of the package as it is fetched, in base64. */
  readonly integrity: string;
}

const locked = z.object({ version: z.string(), license: z.string(), integrity: z.string() });
const lockfile = z.object({ packages: z.record(z.string(), z.unknown()) });

/** The packages whose code is in the bundles of functions, by name, with their entries in the lockfile. */
export function bundledPackages(bundles: FunctionBundles): readonly BundledPackage[] {
  const { packages } = lockfile.parse(
    JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')),
  );
  const folders = new Set(
    [...bundles.values()].flatMap(({ inputs }) => inputs.flatMap((file) => folderOf(file) ?? [])),
  );
  return [...folders].sort().map((folder) => {
    const { version, license: licence, integrity } = locked.parse(packages[folder]);
    return { name: folder.replace(/^.*node_modules\//, ''), version, licence, integrity };
  });
}

/** The folder of the innermost package that the file belongs to. */
function folderOf(file: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}
