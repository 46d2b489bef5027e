import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAllOrAbort } from '#infra/local/run-all-or-abort.ts';
import { CommandFailed, runProcess } from '#infra/local/run-process.ts';

const node = (script: string, signal?: AbortSignal) =>
  runProcess(process.execPath, ['--eval', script], signal === undefined ? {} : { signal });

test('an aborted command has ended, with the processes that it started, when its promise rejects', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'run-process-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Each process writes one file after another until it is killed.
  const writes = (name: string) =>
    `let n = 0; setInterval(() => require('fs').writeFileSync(${JSON.stringify(folder)} + '/${name}-' + n++, ''), 5)`;
  const script = `require('child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(writes('child'))}]);
    ${writes('parent')}`;
  const stopped = new AbortController();
  const running = node(script, stopped.signal);
  const wrote = async (name: string) => (await readdir(folder)).some((file) => file.startsWith(name));
  await expect.poll(() => wrote('child'), { timeout: 20_000 }).toBe(true);
  stopped.abort(new Error('Ctrl-C'));
  await expect(running).rejects.toThrow('Ctrl-C');
  const left = await readdir(folder);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await readdir(folder)).toEqual(left);
}, 30_000);

test('a missing command, and one that fails, say so with the output', async () => {
  await expect(runProcess('no-such-command', [])).rejects.toThrow('no-such-command: spawn no-such-command ENOENT');
  const failing = node('console.log("out"); console.error("err"); process.exit(3)');
  await expect(failing).rejects.toThrow(CommandFailed);
  await expect(failing).rejects.toThrow(/ended with 3:\n(out\nerr|err\nout)$/);
});

test('the first failure ends the commands that run beside it, and is thrown', async () => {
  const stopped = new AbortController();
  const ends: string[] = [];
  const both = runAllOrAbort(stopped.signal, [
    (signal) => node('setInterval(() => undefined, 1000)', signal).finally(() => ends.push('the endless one')),
    () => node('process.exit(4)').finally(() => ends.push('the failing one')),
  ]);
  await expect(both).rejects.toThrow('ended with 4');
  expect(ends).toEqual(['the failing one', 'the endless one']);
});
