import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { runDirectory } from '#infra/cli/local-outputs.ts';
import { freePort } from '#infra/local/free-port.ts';

test('a start whose output is no longer read ends, and leaves no process running', async () => {
  const port = await freePort();
  const started = spawn(process.execPath, ['infra/local/start.ts', '--port', String(port)], {
    cwd: projectDirectory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(started, 'exit');
  for await (const text of started.stdout.setEncoding('utf8')) {
    // Leaving the loop closes the pipe.
    if (/✓.* Starting the local AWS/.test(text)) break;
  }
  expect(await ended).toEqual([130, null]);
  expect(existsSync(runDirectory(port))).toBe(false);
});
