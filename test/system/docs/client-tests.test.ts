import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { runDirectory } from '#infra/cli/local-outputs.ts';
import { freePort } from '#infra/local/free-port.ts';
import { blocksIn, textOf } from '#test/support/markdown.ts';

const [start = '', stop = '', read = ''] = blocksIn(textOf('docs/client-tests.md'), 'bash');

test('the scripts of docs/client-tests.md start the service, which serves before its sample has ended, and end it', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payin-offramp-client-ci-'));
  symlinkSync(projectDirectory, join(folder, 'payments'));
  const port = await freePort();
  const bash = (script: string) => promisify(execFile)('bash', ['-c', script], { cwd: folder });
  onTestFinished(async () => {
    // The service still runs if a step has failed.
    await bash('kill $(cat service.pid)').catch(() => undefined);
    rmSync(folder, { recursive: true });
  });
  const log = () => readFileSync(join(folder, 'service.log'), 'utf8');

  await bash(start.replace('--prefix payments', `--prefix payments -- --port ${port}`));
  const banks = await fetch(`http://localhost:${port}/api/parameters/banks`);
  expect(banks.status).toBe(200);
  const call =
    'curl -s "$BASE_URL/api/v1/client/token" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials';
  const { stdout } = await bash(`${read}\n${call}\necho " $BASE_URL $USER_ID $WALLET_ID $WALLET_ADDRESS"`);
  const id = '[0-9a-f-]{36}';
  expect(stdout).toMatch(new RegExp(`^{"access_token":".* http://localhost:${port} ${id} ${id} 0x[0-9a-f]{40}\n$`));
  await vi.waitFor(() => expect(log()).toContain('the simulated payout was made'), { timeout: 120_000, interval: 500 });
  expect(log().indexOf('\nServing ')).toBeLessThan(log().indexOf('the simulated payout was made'));
  await bash(stop);
  expect(existsSync(runDirectory(port))).toBe(false);
});
