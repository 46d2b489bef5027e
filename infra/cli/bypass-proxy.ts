import { setGlobalProxyFromEnv } from 'node:http';

const HERE = ['localhost', '127.0.0.1', '::1'];

/**
 * Keeps calls of this process and its children to this machine away from HTTP_PROXY, which is for the Internet, not for
 * the local AWS and the service on it. Both spellings of the variable are read, the lower-case one first.
 */
export function bypassProxy(): void {
  const known = (process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '').split(',').map((name) => name.trim());
  const names = [...new Set([...known, ...HERE])].filter((name) => name !== '').join(',');
  process.env['no_proxy'] = names;
  process.env['NO_PROXY'] = names;
  // Node read the proxy variables at its start, before this change.
  if (process.env['NODE_USE_ENV_PROXY'] === '1') setGlobalProxyFromEnv(process.env);
}
