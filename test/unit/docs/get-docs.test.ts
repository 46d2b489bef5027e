import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { getDocs } from '#functions/docs/get-docs/get-docs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { httpRequest } from '#test/support/http-request.ts';

const page = '<script>dark()</script><script src="/__docs__/app.js"></script><a href="/__docs__/start.html">Start</a>';
const files: Readonly<Record<string, string>> = {
  'index.html': page,
  'errors/NOT_FOUND.html': 'A page of a code',
  'start.md': '# Start',
  'handler.mjs': 'not of the site',
};

function read(file: string | undefined, url = `https://api.example/api/docs/${file ?? ''}`) {
  const names = new Set(Object.keys(files).filter((name) => name !== 'handler.mjs'));
  return getDocs({ names, read: async (name) => files[name] ?? '' })({
    clientId: '',
    path: { file },
    query: () => ({}),
    body: () => ({}),
    bytes: () => Buffer.alloc(0),
    http: httpRequest('', {}, { method: 'GET', url }),
  });
}

test.each([
  ['its own address', 'https://api.example/api/docs', '/api/docs/'],
  ['its own address with a slash at the end', 'https://api.example/api/docs/', '/api/docs/'],
  ["API Gateway's address, which has the stage before the path", 'https://x.aws/prod/api/docs', '/prod/api/docs/'],
])('a page finds its files from %s', async (_, url, base) => {
  const { body } = await read(undefined, url);
  expect([...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
    `${base}app.js`,
    `${base}start.html`,
  ]);
});

test('a page may run the scripts beside it and, by their hashes, exactly its own inline scripts', async () => {
  const { headers } = await read(undefined);
  const hash = createHash('sha256').update('dark()').digest('base64');
  expect(headers?.['Content-Security-Policy']).toContain(`; script-src 'self' 'sha256-${hash}'; `);
  expect(headers?.['Content-Security-Policy']).toMatch(/^default-src 'none'; /);
});

test.each([
  ['index.html', 'text/html'],
  ['errors/NOT_FOUND', 'text/html'],
  ['errors/NOT_FOUND.html/', 'text/html'],
  ['start.md', 'text/markdown'],
])('%s is read as %s', async (file, type) => {
  expect((await read(file)).headers?.['Content-Type']).toBe(`${type}; charset=utf-8`);
});

test.each(['handler.mjs', '../handler.mjs', 'errors', 'x'])('a path without a file is 404: %s', async (file) => {
  expect((await expectApiError(() => read(file))).code).toBe('NOT_FOUND');
});
