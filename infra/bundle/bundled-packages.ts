import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { FunctionBundles } from './bundle-functions.ts';

/** A package of others, some of which is in what is deployed. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** In SPDX's words. */
  readonly licence: string;
  /** `sha512-` and the digest of the package as it is fetched, in base64. */
  readonly integrity: string;
}

const locked = z.object({ version: z.string(), license: z.string(), integrity: z.string() });
const lockfile = z.object({ packages: z.record(z.string(), z.unknown()) });

/** Of which packages something is in the bundles of functions, by name; what the lockfile says of them. */
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

/** Of a package inside another one, the inner. */
function folderOf(file: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}
