import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { withoutAws } from '#infra/cli/local-aws.ts';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${projectDirectory}/package.json`, 'utf8')));

const env = {
  ...withoutAws(),
  ...{ AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null', AWS_EC2_METADATA_DISABLED: 'true' },
};

/** A script of package.json as `npm run` starts it, in a process of its own. */
function run(name: string, ...words: readonly string[]) {
  const [, file = ''] = /(\S+\.ts)$/.exec(scripts[name] ?? '') ?? [];
  return new Promise<{ status: unknown; printed: string; said: string }>((resolve) => {
    execFile(process.execPath, [file, ...words], { cwd: projectDirectory, env }, (error, printed, said) =>
      resolve({ status: error?.code ?? 0, printed, said }),
    );
  });
}

const NAMES = ['start', 'ops', 'logs', 'chain', 'simulate', 'fuzz', 'clients', 'preflight', 'try-permissions'];

test.each(NAMES)('npm run %s -- --help prints what it takes', { timeout: 60_000 }, async (name) => {
  const { status, printed, said } = await run(name, '--help');
  expect([status, said]).toEqual([0, '']);
  expect(printed).toMatch(name === 'ops' ? /^Usage: ops / : new RegExp(`^npm (run )?${name}\\b`));
});

test.each(NAMES)('npm run %s says which option it does not take, and no stack', { timeout: 60_000 }, async (name) => {
  const { status, printed, said } = await run(name, '--no-such-option');
  expect([status, printed]).toEqual([2, '']);
  expect(said).toContain('--no-such-option');
  expect(said).not.toMatch(/^\s+at /m);
});

test('npm run restore without an identity says what it lacks, and not to repeat the command', async () => {
  const { status, said } = await run('restore', '--stage', 'staging', '--at', '2026-11-27T10:00:00Z', '--plan');
  expect([status, said]).toEqual([1, expect.stringMatching(/^(Set the region|There are no AWS credentials)[^\n]*\n$/)]);
});

test('an invalid number is refused with the valid ones', () => {
  expect([wholeNumber('--seed', '0', { least: 0 }), wholeNumber('--port', '80', { most: 65_535 })]).toEqual([0, 80]);
  for (const text of ['', ' ', 'abc', '1.5', '-1', '65536', 'Infinity']) {
    expect(() => wholeNumber('--port', text, { most: 65_535 })).toThrow('--port takes a whole number from 1 to 65535.');
  }
  expect(() => wholeNumber('--seed', '-1', { least: 0 })).toThrow('--seed takes a whole number of 0 or more.');
});

test('valid options are read', () => {
  expect(readOptionsOrExit('usage', () => 7)).toBe(7);
});
