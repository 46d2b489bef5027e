import { extname } from 'node:path';
import { contentSecurityPolicy } from '#shared/docs/content-security-policy.ts';
import { type getDocsContract, SITE_BASE } from '#shared/docs/docs-contract.ts';
import { DOCS_PATH } from '#shared/platform/http/answer.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

/** The files of the site. Only files with these names can be read. */
export interface SiteFiles {
  readonly names: ReadonlySet<string>;
  read(name: string): Promise<string>;
}

const mediaTypes = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.md', 'text/markdown'],
  ['.txt', 'text/plain'],
  ['.json', 'application/json'],
]);

export function getDocs({ names, read }: SiteFiles): UseCase<typeof getDocsContract> {
  return async ({ path: { file = '' }, http }) => {
    // API Gateway treats an address with a slash at its end like the one without.
    const asked = file.replace(/\/$/, '') || 'index.html';
    const name = [asked, `${asked}.html`].find((one) => names.has(one));
    if (name === undefined) throw new ApiError(apiErrors.NOT_FOUND);
    const body = (await read(name)).replaceAll(SITE_BASE, `${pathBefore(new URL(http.url).pathname)}${DOCS_PATH}/`);
    const type = mediaTypes.get(extname(name));
    if (type === undefined) throw new Error(`get-docs.ts has no media type for ${name}.`);
    return {
      body,
      headers: {
        'Content-Type': `${type}; charset=utf-8`,
        'Referrer-Policy': 'no-referrer',
        ...(type === 'text/html' && { 'Content-Security-Policy': contentSecurityPolicy(body) }),
      },
    };
  };
}

/** API Gateway's own address has the stage before the path of the service. */
const pathBefore = (path: string) => path.slice(0, path.indexOf(DOCS_PATH));
