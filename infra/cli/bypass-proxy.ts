import { setGlobalProxyFromEnv } from 'node:http';

const HERE = ['localhost', '127.0.0.1', '::1'];

/**
 * Whoever sets HTTP_PROXY for the world does not mean the local AWS and the service on it: this process and those that
 * it starts call this machine itself. Both spellings are read, the lower-case one first.
 */
export function bypassProxy(): void {
  const known = (process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '').split(',').map((name) => name.trim());
  const names = [...new Set([...known, ...HERE])].filter((name) => name !== '').join(',');
  process.env['no_proxy'] = names;
  process.env['NO_PROXY'] = names;
  // Then Node itself has read the proxies of the environment, before this was in it.
  if (process.env['NODE_USE_ENV_PROXY'] === '1') setGlobalProxyFromEnv(process.env);
}
