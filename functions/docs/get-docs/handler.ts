import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDocsContract } from '#shared/docs/docs-contract.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { getDocs, type SiteFiles } from './get-docs.ts';

export function wire({ files }: { readonly files: SiteFiles }, clock: Clock) {
  return publicEndpoint(getDocsContract, clock, getDocs(files));
}

/** The files of the site, in a folder beside the bundle. */
function filesIn(directory: string): SiteFiles {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '');
  return { names: new Set(names), read: (name) => readFile(join(directory, name), 'utf8') };
}

export const handler = wire({ files: filesIn(fileURLToPath(new URL('site', import.meta.url))) }, systemClock);
