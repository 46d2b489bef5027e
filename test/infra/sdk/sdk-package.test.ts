import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { packSdk } from '#infra/bundle/build-sdk.ts';
import { signedHeaders } from '#shared/webhooks/http-client/sign-webhook.ts';
import { scriptedServer } from '#test/support/scripted-server.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const consumer = join(inject('infraDirectory'), 'consumer');
const run = promisify(execFile);

const program = `
import { itemsOf, isProblem, connect, verifyWebhook } from 'payin-offramp-client';

const call = connect({ baseUrl: process.env['BASE_URL'] ?? '', credentials: { clientId: 'c', clientSecret: 's' } });
const path = { user_id: 'u', operation_id: 'o' };
async function main(): Promise<void> {
  const found: string[] = [];
  for await (const { status } of itemsOf(call, 'GET /api/v1/admin/operation/{user_id}/withdrawal', { path })) found.push(status);
  try {
    await call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}', { path });
  } catch (error) {
    if (isProblem(error, 'OFF_RAMP_NOT_FOUND')) found.push(error.code satisfies 'OFF_RAMP_NOT_FOUND');
  }
  const event = verifyWebhook(process.env['SECRET'] ?? '', JSON.parse(process.env['HEADERS'] ?? ''), process.env['BODY'] ?? '');
  if (event.type === 'ramp.operation.status_changed') found.push(event.data.status satisfies string, String(event.data.sequence.toFixed()));
  console.log(found.join(' '));
}
void main();
`;

/** The program without the syntax of TypeScript. */
const plain = program.replaceAll(/: Promise<void>|: string\[\]| satisfies (?:'\w+'|\w+)/g, '');

const options = { module: 'nodenext', outDir: 'out', types: ['node'] };
const strict = {
  ...options,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
};
const files: Readonly<Record<string, string>> = {
  'package.json': '{"private":true}',
  'strict.mts': program,
  'strict.cts': program,
  'loose.ts': program,
  'plain.mjs': plain,
  'plain.cjs': plain.replace(/import (\{.*\}) from (.*);/, 'const $1 = require($2);'),
  'strict.json': JSON.stringify({ compilerOptions: strict, include: ['strict.*ts'] }),
  'loose.json': JSON.stringify({ compilerOptions: { ...options, strict: false }, include: ['loose.ts'] }),
};

const secret = 'whsec_YW4gZXhhbXBsZSBhbmQgbm90IGEgcmVhbCBzZWNyZXQ=';
const body = JSON.stringify({ type: 'ramp.operation.status_changed', data: { status: 'COMPLETED', sequence: 5 } });
const answers = [
  { status: 200, body: { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 300 } },
  { status: 200, body: { operations: [{ status: 'PENDING' }], nextCursor: 'next' } },
  { status: 200, body: { operations: [{ status: 'FAILED' }] } },
  { status: 404, body: { code: 'OFF_RAMP_NOT_FOUND', detail: 'None.', requestId: 'r' } },
];

describe('the packed client, installed in another project', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    const packed = await packSdk(join(inject('infraDirectory'), 'sdk'));
    mkdirSync(join(consumer, 'node_modules'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(consumer, name), text);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', packed], { cwd: consumer });
    symlinkSync(join(root, 'node_modules/@types'), join(consumer, 'node_modules/@types'));
    for (const project of ['strict', 'loose']) {
      const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', `${project}.json`];
      const { stdout } = await run(process.execPath, tsc, { cwd: consumer }).catch((error) => error);
      expect(stdout).toBe('');
    }
  }, 300_000);

  test.each(['out/strict.mjs', 'out/strict.cjs', 'out/loose.js', 'plain.mjs', 'plain.cjs'])(
    '%s calls, pages, tells errors by code and verifies a webhook',
    async (file) => {
      const { baseUrl, received } = await scriptedServer(answers);
      const HEADERS = JSON.stringify(signedHeaders([secret], { id: 'evt_1', at: new Date(), body }));
      const env = { ...process.env, BASE_URL: baseUrl, SECRET: secret, HEADERS, BODY: body };
      const { stdout } = await run(process.execPath, [file], { cwd: consumer, env });
      expect(stdout).toBe('PENDING FAILED OFF_RAMP_NOT_FOUND COMPLETED 5\n');
      expect(received.map(({ call }) => call)[2]).toBe('GET /api/v1/admin/operation/u/withdrawal?cursor=next');
    },
  );

  test('has a README for people who have only the package: no link to a file outside it, no word for people with the repository', () => {
    const readme = readFileSync(join(consumer, 'node_modules/payin-offramp-client/README.md'), 'utf8');
    expect([...readme.matchAll(/\]\((?!https?:|#)[^)]*\)/g)].map(([link]) => link)).toEqual([]);
    expect(readme).not.toMatch(/repository|#sdk|<!--/);
    expect(readme).toContain("from 'payin-offramp-client'");
  });

  test('has the exam as one file, which needs no other file', async () => {
    const { status } = await scriptedServer([{ status: 500 }]).then(async ({ baseUrl }) =>
      run('npx', ['--no-install', 'payin-offramp-client', 'exam', '--url', baseUrl, '--secret', secret], {
        cwd: consumer,
      }).then(
        () => ({ status: 0 }),
        ({ code, stdout }) => ({ status: [code, stdout] }),
      ),
    );
    expect(status).toEqual([1, expect.stringContaining('A correctly signed call: answered 500')]);
  });
});
