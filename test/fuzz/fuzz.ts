import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { freePort } from '#infra/local/free-port.ts';
import { installPython } from '#infra/local/install-python.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { fuzzerSettings } from './fuzzer-settings.ts';
import { putSubjects } from './subjects.ts';

/**
 * Lets Schemathesis send what it can think of to every route of openapi.json on a local deployment. Its exit status is
 * the fuzzer's: not 0 when a route answered 5xx or something that openapi.json does not say.
 */
const USAGE = `npm run fuzz [-- options]
  Lets Schemathesis send what it can think of to every route of openapi.json on a local deployment.
  --minutes <number>  how long (10)
  --help              print this`;

const minutes = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
  return wholeNumber('--minutes', values.minutes);
});
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());

const directory = join(localDirectory, 'fuzz');
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const progress = progressOn(process.stdout);
const { signal } = stopped;

const python = await progress.step('Installing the fuzzer', () => installPython('fuzzer', requirements, signal));
const service = await startLocalService({ port: await freePort(), windowSeconds: 120, progress, signal });
try {
  const subjects = await putSubjects(service.outputs);
  await mkdir(directory, { recursive: true });
  const settings = join(directory, 'schemathesis.toml');
  await writeFile(settings, fuzzerSettings(service.outputs.baseUrl, subjects));
  process.exitCode = await fuzz(settings);
} finally {
  await service.stop();
}

/** The fuzzer's exit status. */
function fuzz(settings: string): Promise<number> {
  const document = fileURLToPath(new URL('../../openapi.json', import.meta.url));
  const time = ['--max-time', String(minutes * 60)];
  const report = ['--report', 'ndjson', '--report-dir', directory];
  // By this route the client of the fuzzer would suspend itself, and be refused on all others.
  const without = ['--exclude-name', 'POST /api/sandbox/client'];
  const args = ['-m', 'schemathesis.cli', '--config-file', settings, 'run', document, ...time, ...report, ...without];
  const child = spawn(python, args, { cwd: directory, stdio: 'inherit', signal });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
