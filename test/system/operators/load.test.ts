import { execFile } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';

/** Runs the load test; returns its exit code and what it prints. */
function load(...options: readonly string[]): Promise<{ readonly code: unknown; readonly printed: string }> {
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', 'load', '--', ...options], { cwd: projectDirectory }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: `${stdout}${stderr}` }),
    );
  });
}

test('a load of off-ramps and pay-ins is played to its end, and printed with latencies and the time to the credit', async () => {
  const { port } = new URL(inject('outputs').baseUrl);
  const { code, printed } = await load(
    '--stage',
    'local',
    '--port',
    port,
    '--rate',
    '1',
    '--pay-ins',
    '1',
    '--seconds',
    '2',
  );
  expect(code, printed).toBe(0);
  expect(printed).toMatch(/Seconds from final to credited: p50 \d+\.\d, p99 \d+\.\d, of 2\n/);
  expect(printed).toMatch(/2 {2}off-ramp: as it should/);
  expect(printed).toMatch(/2 {2}pay-in: as it should/);
  expect(printed).toMatch(/\d+ +\d+ +2 {2}POST \/api\/v1\/admin\/operation\/\{id\}\/withdrawal\n/);
});

test('production is never load-tested', async () => {
  const { code, printed } = await load('--stage', 'prod', '--rate', '1');
  expect([code, printed]).toEqual([2, expect.stringContaining('production is never load-tested')]);
});
