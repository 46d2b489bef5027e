import type { getDocsContract } from '#shared/docs/docs-contract.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

/**
 * Addresses are relative, because API Gateway's own address has the stage before the path.
 *
 * @param assets the address of the page's files, relative to its own
 */
const page = (assets: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fiat pay-in and crypto off-ramp API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}swagger-ui.css">
<script src="${assets}swagger-ui-bundle.js" defer></script>
<link rel="license" href="${assets}swagger-ui-bundle.js.LICENSE.txt">
<script src="${assets}show-docs.js" type="module"></script>
</head>
<body>
<div id="docs"></div>
</body>
</html>
`;

/** The renderer writes styles into its elements; scripts, data and everything else come from this service only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function getDocs(): UseCase<typeof getDocsContract> {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
  };
  return async ({ http }) => ({ body: page(http.path.endsWith('/') ? '' : 'docs/'), headers });
}
