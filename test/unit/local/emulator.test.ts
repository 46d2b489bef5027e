import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { localAwsAt, newCredentials } from '#infra/cli/local-aws.ts';
import { startEmulator } from '#infra/local/emulator.ts';
import { freePort } from '#infra/local/free-port.ts';

/** Answers as the local AWS does, and goes on writing. */
const TALKATIVE = `#!${process.execPath}
require('node:http').createServer((request, response) => response.end('well')).listen(process.env.GATEWAY_PORT, '127.0.0.1');
process.stdout.on('error', () => {});
setInterval(() => process.stdout.write('a line\\n'), 10);
`;

const FULL = '/dev/full';

test.skipIf(!existsSync(FULL))('a disk that is full ends neither the run nor its clean-up', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'emulator-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const python = join(directory, 'python');
  await writeFile(python, TALKATIVE);
  await chmod(python, 0o755);
  await symlink(FULL, join(directory, 'emulator.log'));
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const aws = localAwsAt(endpoint, newCredentials());
  const emulator = await startEmulator({ python, aws, directory, signal: new AbortController().signal });
  await sleep(200);
  expect((await fetch(endpoint)).status).toBe(200);
  await emulator.stop();
  await expect(fetch(endpoint)).rejects.toThrow('fetch failed');
});
