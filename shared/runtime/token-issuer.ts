import type { TokenIssuer } from '#shared/http/access-token.ts';
import { setting } from './environment.ts';

export function tokenIssuerSetting(): TokenIssuer {
  return {
    issuer: setting('TOKEN_ISSUER'),
    audience: setting('TOKEN_AUDIENCE'),
    keyId: setting('TOKEN_KEY_ID'),
  };
}
