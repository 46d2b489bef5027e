import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';

test('npm run ops ends without an error when its output is closed', async () => {
  const child = spawn(process.execPath, ['infra/cli/ops.ts', '--help'], { cwd: projectDirectory });
  child.stdout.destroy();
  const ended = once(child, 'exit');
  expect([await text(child.stderr), await ended]).toEqual(['', [130, null]]);
});
