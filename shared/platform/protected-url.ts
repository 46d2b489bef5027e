const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

export const parseUrl = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK.includes(parseUrl(url)?.hostname ?? '');
}

/**
 * True for an https URL, or an http URL of this machine. On any other http URL, others on the network path could read
 * keys and change data about money.
 */
export function isProtectedUrl(url: string): boolean {
  const protocol = parseUrl(url)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(url));
}
