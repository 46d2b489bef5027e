/** Headers of every answer, API Gateway's own included, unless the answer says otherwise. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;
