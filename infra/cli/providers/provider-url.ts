const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/** Without TLS only on this machine: whoever stands between could read keys, and change what is said of money. */
export function isSafe(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}
