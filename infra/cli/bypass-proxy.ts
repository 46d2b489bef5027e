import { setGlobalProxyFromEnv } from 'node:http';

const HERE = ['localhost', '127.0.0.1', '::1'];

/**
 * HTTP_PROXY is for the Internet, not for the local AWS and the service on it: this process and its children call this
 * machine directly. Both spellings are read, the lower-case one first.
 */
export function bypassProxy(): void {
  const known = (process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '').split(',').map((name) => name.trim());
  const names = [...new Set([...known, ...HERE])].filter((name) => name !== '').join(',');
  process.env['no_proxy'] = names;
  process.env['NO_PROXY'] = names;
  // Node read the proxies of the environment at its start, before this was set.
  if (process.env['NODE_USE_ENV_PROXY'] === '1') setGlobalProxyFromEnv(process.env);
}
