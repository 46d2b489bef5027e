import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { bypassProxy } from '#infra/cli/bypass-proxy.ts';
import { runCommand } from '#infra/local/run-command.ts';
import { listeningOn } from '#test/support/webhook-receiver.ts';

afterEach(() => vi.unstubAllEnvs());

/** What the processes that are started from now on are told, in both spellings. */
function bypassed(known: { NO_PROXY?: string; no_proxy?: string }) {
  vi.stubEnv('NO_PROXY', known.NO_PROXY);
  vi.stubEnv('no_proxy', known.no_proxy);
  bypassProxy();
  bypassProxy();
  return [process.env['NO_PROXY'], process.env['no_proxy']];
}

test.each([
  [{}, 'localhost,127.0.0.1,::1'],
  [{ NO_PROXY: 'intranet.example.com, localhost' }, 'intranet.example.com,localhost,127.0.0.1,::1'],
  [{ no_proxy: '.example.com', NO_PROXY: 'not.read' }, '.example.com,localhost,127.0.0.1,::1'],
])('this machine is called without a proxy, besides what else is: %j', (known, names) => {
  expect(bypassed(known)).toEqual([names, names]);
});

test('also by a Node that takes the proxies of its environment', async () => {
  const server = createServer((_, response) => response.end('here'));
  const port = await listeningOn(server);
  onTestFinished(() => void server.close());
  const module = fileURLToPath(new URL('../../../infra/cli/bypass-proxy.ts', import.meta.url));
  const script = `
    import { get } from 'node:http';
    import { bypassProxy } from ${JSON.stringify(module)};
    bypassProxy();
    const status = (await fetch('http://127.0.0.1:${port}')).status;
    get('http://127.0.0.1:${port}', (response) => {
      process.stdout.write(status + ' ' + response.statusCode, () => process.exit());
    });`;
  const proxied = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: 'http://127.0.0.1:1',
    NO_PROXY: '',
    no_proxy: '',
  };
  const args = ['--input-type=module', '--eval', script];
  expect(await runCommand(process.execPath, args, { env: proxied })).toBe('200 200');
});
