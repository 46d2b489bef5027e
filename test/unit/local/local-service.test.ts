import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { startForwarder } from '#infra/local/forwarder.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';

test('a run whose port is taken by another run leaves the folder of that run alone', async () => {
  const port = await freePort();
  const first = await startForwarder(port);
  const state = join(localDirectory, `run-${port}`, 'state');
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'tables.json'), '{}');
  try {
    const second = startLocalService({
      port,
      windowSeconds: undefined,
      progress: { say: () => undefined, step: (_, work) => work(() => undefined) },
      signal: new AbortController().signal,
    });
    await expect(second).rejects.toThrow(`Port ${port} is taken. Choose another one: npm start -- --port ${port + 1}`);
    expect(existsSync(join(state, 'tables.json'))).toBe(true);
  } finally {
    await first.stop();
    await rm(join(localDirectory, `run-${port}`), { recursive: true, force: true });
  }
});

test('a run on an AWS that somebody else has started says that it has no guard', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const run = startLocalService({
    port: await freePort(),
    windowSeconds: undefined,
    progress: { say: (line) => lines.push(line), step: (_, work) => work(() => undefined) },
    signal: AbortSignal.abort(),
  });
  await expect(run).rejects.toThrow('aborted');
  expect(lines).toEqual([expect.stringMatching(/http:\/\/127\.0\.0\.1:9 has no guard/)]);
});
