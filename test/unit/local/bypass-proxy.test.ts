import { afterEach, expect, test, vi } from 'vitest';
import { bypassProxy } from '#infra/cli/bypass-proxy.ts';

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
