import { setting } from '#shared/platform/environment.ts';
import type { TokenIssuer } from './access-token.ts';

export function tokenIssuerSetting(): TokenIssuer {
  return {
    issuer: setting('TOKEN_ISSUER'),
    audience: setting('TOKEN_AUDIENCE'),
    keyId: setting('TOKEN_KEY_ID'),
  };
}
