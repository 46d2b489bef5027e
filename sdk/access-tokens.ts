import type { Clock } from './clock.ts';

/** Seconds before its end at which a token is renewed, so that none expires on its way. */
const MARGIN_SECONDS = 30;

/** `expiresIn`: seconds. */
export type ObtainToken = () => Promise<{ readonly token: string; readonly expiresIn: number }>;

/** Returns the current access token; after a refusal, another one than the refused token. */
export type AccessTokens = (refused?: string) => Promise<string>;

/** Keeps an access token until shortly before its end. Concurrent callers share one request for the next token. */
export function accessTokens(obtain: ObtainToken, clock: Clock): AccessTokens {
  let held: { readonly token: string; readonly renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  const renew = async () => {
    const from = clock.now().getTime();
    try {
      const { token, expiresIn } = await obtain();
      held = { token, renewAt: from + (expiresIn - MARGIN_SECONDS) * 1000 };
      return token;
    } finally {
      pending = undefined;
    }
  };

  return async (refused) => {
    if (held !== undefined && held.token !== refused && clock.now().getTime() < held.renewAt) return held.token;
    pending ??= renew();
    return pending;
  };
}
