import { createHash } from 'node:crypto';

/**
 * The policy for a page of the documentation: it loads only files from beside it, and of inline scripts only those that
 * it was built with. Inline styles are allowed, because both renderers write them.
 */
export function contentSecurityPolicy(page: string): string {
  const inline = page
    .split('<script')
    .slice(1)
    .flatMap((script) => {
      const [start, end] = [script.indexOf('>'), script.indexOf('</script>')];
      return script.slice(0, start).includes(' src=') ? [] : [script.slice(start + 1, end)];
    });
  const hashes = inline.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
