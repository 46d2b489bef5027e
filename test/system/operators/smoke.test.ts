import { execFile } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';

/** Runs the smoke test; returns its exit code and what it prints. */
function smoke(...options: readonly string[]): Promise<{ readonly code: unknown; readonly printed: string }> {
  return new Promise((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', 'smoke', '--', ...options],
      { cwd: projectDirectory },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, printed: `${stdout}${stderr}` }),
    );
  });
}

test('the smoke test of a deployment onboards a client, takes the sample off-ramp to its end and suspends the client', async () => {
  const { port } = new URL(inject('outputs').baseUrl);
  const { code, printed } = await smoke('--stage', 'local', '--port', port);
  expect(code, printed).toBe(0);
  for (const command of ['create-client', 'approve-client', 'add-user', 'declare-wallet', 'suspend-client'])
    expect(printed).toContain(`✓ ${command}`);
  expect(printed).toMatch(/not verified: WRONG_AMOUNT.*ramp\.operation\.status_changed {2}COMPLETED/s);
  expect(printed.match(/GET \/api\/infoClient/g)).toHaveLength(1);
  expect(printed).toContain('The stage local works.');
});

test('production gets no client for a test: the smoke test takes the one that it is told', async () => {
  const { code, printed } = await smoke('--stage', 'prod');
  expect([code, printed]).toEqual([2, expect.stringContaining('--client belongs to production')]);
});
