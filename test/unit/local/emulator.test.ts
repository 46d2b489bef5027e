import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { localAwsAt, newCredentials } from '#infra/cli/local-aws.ts';
import { startEmulator } from '#infra/local/emulator.ts';
import { freePort } from '#infra/local/free-port.ts';

/** Stands for the local AWS: answers every request with its environment, keeps writing lines, and exits on DELETE. */
const TALKATIVE = `#!${process.execPath}
process.stdout.write('a line\\n');
require('node:http')
  .createServer((request, response) => response.end(JSON.stringify(process.env), () => request.method === 'DELETE' && process.exit(7)))
  .listen(process.env.GATEWAY_PORT, '127.0.0.1');
process.stdout.on('error', () => {});
setInterval(() => process.stdout.write('a line\\n'), 10);
`;

const FULL = '/dev/full';

async function startTalkative(prepare: (directory: string) => Promise<void> = async () => undefined) {
  const directory = await mkdtemp(join(tmpdir(), 'emulator-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const python = join(directory, 'python');
  await writeFile(python, TALKATIVE);
  await chmod(python, 0o755);
  await prepare(directory);
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const aws = localAwsAt(endpoint, newCredentials());
  const emulator = await startEmulator({ python, aws, directory, signal: new AbortController().signal });
  return { emulator, endpoint };
}

test.skipIf(!existsSync(FULL))('a disk that is full ends neither the run nor its clean-up', async () => {
  const { emulator, endpoint } = await startTalkative((directory) => symlink(FULL, join(directory, 'emulator.log')));
  await sleep(200);
  expect((await fetch(endpoint)).status).toBe(200);
  await emulator.stop();
  await expect(fetch(endpoint)).rejects.toThrow('fetch failed');
});

test('an emulator that ends by itself says so, with what it wrote last', async () => {
  const { emulator, endpoint } = await startTalkative();
  await fetch(endpoint, { method: 'DELETE' });
  expect((await emulator.ended).message).toMatch(
    /^The local AWS has ended \(7\)\. The end of what it wrote:\na line\n/,
  );
});

test('variables of the shell for another emulator or another Python do not reach it', async () => {
  const foreign = ['SERVICES', 'USE_SSL', 'MINISTACK_REGION', 'LAMBDA_EXECUTOR', 'PYTHONPATH', 'AWS_PROFILE'];
  for (const name of [...foreign, 'MINISTACK_HOST', 'OF_THE_SHELL']) vi.stubEnv(name, 'set');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { emulator, endpoint } = await startTalkative();
  const environment: unknown = await (await fetch(endpoint)).json();
  await emulator.stop();
  const ours = { MINISTACK_HOST: new URL(endpoint).hostname, LAMBDA_WARM_TTL_SECONDS: '60' };
  expect(environment).toMatchObject({ OF_THE_SHELL: 'set', ...ours });
  for (const name of foreign) expect(environment).not.toHaveProperty(name);
});
