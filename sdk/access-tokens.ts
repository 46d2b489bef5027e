import type { Clock } from './clock.ts';

/** A token is renewed so many seconds before its end, so that none ends on its way. */
const MARGIN_SECONDS = 30;

/** `expiresIn`: seconds. */
export type ObtainToken = () => Promise<{ readonly token: string; readonly expiresIn: number }>;

/** The current access token, or another one than that which has been refused. */
export type AccessTokens = (refused?: string) => Promise<string>;

/** Keeps an access token until shortly before its end. Callers at the same time share one request for the next. */
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
