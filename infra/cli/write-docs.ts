import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from '#infra/site/build-site.ts';
import { contentSecurityPolicy } from '#shared/docs/content-security-policy.ts';
import { SITE_BASE } from '#shared/docs/docs-contract.ts';
import { readOptionsOrExit } from './read-options.ts';

const USAGE = `npm run docs -- <folder> [--base /path/] [--server https://api.example.com]
  Writes the guides and the reference as files for any host. The path below which it serves them begins and ends with a slash;
  the server is that of the calls in the reference.`;
const { values, folder } = readOptionsOrExit(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { base: { type: 'string', default: '/' }, server: { type: 'string' } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('The folder is missing.');
  if (!/^\/(?:.*\/)?$/.test(values.base)) throw new Error('The path of --base does not begin and end with a slash.');
  return { values, folder };
});

const { directory } = buildSite();
for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((one) => extname(one) !== '')) {
  const text = readFileSync(join(directory, name), 'utf8').replaceAll(SITE_BASE, values.base);
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, extname(name) === '.html' ? withPolicy(text) : text);
}
writeFileSync(join(folder, 'openapi.json'), description());

/**
 * Puts the policy that the service sends as a header into the page, for hosts that do not send it; `frame-ancestors`
 * has an effect only in a header.
 */
function withPolicy(page: string): string {
  const policy = contentSecurityPolicy(page).replace("; frame-ancestors 'none'", '');
  return page
    .replace('<meta charset="utf-8">', `$&\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('data-description="../openapi.json"', 'data-description="openapi.json"');
}

/** Leaves out the local server of the committed document, which nobody else has. */
function description(): string {
  const { servers: _, ...rest } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const server = values.server === undefined ? {} : { servers: [{ url: values.server }] };
  const externalDocs = { ...rest.externalDocs, url: '.' };
  return JSON.stringify({ ...rest, ...server, externalDocs }, undefined, 2);
}
