import * as z from 'zod/mini';
import { type PrepareOrder, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { AskWompi, WithWompi } from './wompi-client.ts';
import type { WompiKeys } from './wompi-settings.ts';

type Prepared = Awaited<ReturnType<PrepareOrder>>;

const acceptance = z.object({
  acceptance_token: z.string(),
  permalink: z.url({ protocol: /^https$/ }),
});

const merchant = z.object({
  data: z.object({ presigned_acceptance: acceptance, presigned_personal_data_auth: acceptance }),
});

/** A token's claims: the digest of its contract, and its expiry in seconds since 1970. Known from samples alone. */
const claims = z.object({
  file_hash: z.catch(z.optional(z.string().check(z.minLength(1))), undefined),
  exp: z.catch(z.number(), 0),
});

/** Milliseconds before its expiry at which a token is renewed. */
const RENEWED_BEFORE = 5 * 60_000;

export type Acceptances = ReturnType<typeof createAcceptances>;

/**
 * The tokens with which orders accept two contracts for the payer: the terms of use, and the handling of personal data
 * (Wompi, Acceptance tokens). They are reused until five minutes before their expiry, if they state one. If Wompi takes
 * a token only once ("El token de aceptación ya fue usado", as integrators report), the first such refusal ends the
 * reuse: from then on each order gets its own tokens.
 */
export function createAcceptances(clock: Clock) {
  let kept: { readonly prepared: Prepared; readonly until: number } | undefined;
  let isSingleUse = false;

  const fetch = async (ask: AskWompi, { publicKey }: WompiKeys): Promise<Prepared> => {
    const { data, error } = merchant.safeParse(await readMerchant(ask, publicKey));
    if (error !== undefined) throw new RailUnavailable('The acceptance tokens of Wompi cannot be read.');
    const accepted = [data.data.presigned_acceptance, data.data.presigned_personal_data_auth];
    const tokenClaims = accepted.map(({ acceptance_token }) => claimsOf(acceptance_token));
    const prepared = {
      acceptedTerms: accepted.map(({ permalink }, at) => {
        const fileHash = tokenClaims[at]?.file_hash;
        return { permalink, ...(fileHash !== undefined && { fileHash }) };
      }),
      acceptanceTokens: accepted.map(({ acceptance_token }) => acceptance_token),
    };
    const until = Math.min(...tokenClaims.map(({ exp }) => exp * 1000)) - RENEWED_BEFORE;
    kept = isSingleUse ? undefined : { prepared, until };
    return prepared;
  };

  return {
    get: async (ask: AskWompi, keys: WompiKeys): Promise<Prepared> =>
      kept !== undefined && clock.now().getTime() < kept.until ? kept.prepared : fetch(ask, keys),

    /**
     * Fetches new tokens in place of those that Wompi refuses.
     *
     * @throws {RailUnavailable} when the new tokens are for other contracts than those stored in the pay-in
     */
    renew: async (ask: AskWompi, keys: WompiKeys, refused: Prepared | undefined): Promise<Prepared> => {
      isSingleUse = true;
      kept = undefined;
      const renewed = await fetch(ask, keys);
      if (JSON.stringify(renewed.acceptedTerms) !== JSON.stringify(refused?.acceptedTerms))
        throw new RailUnavailable('The contracts of Wompi have changed since the order was prepared.');
      return renewed;
    },
  };
}

/** Gets the contracts and tokens of an order; the contracts are stored with the pay-in before it is ordered. */
export function createPrepareAtWompi(withWompi: WithWompi, acceptances: Acceptances): PrepareOrder {
  return () => withWompi((ask, keys) => acceptances.get(ask, keys));
}

/**
 * Reads the merchant by the header that Wompi requires since November 2026, as integrators report; on a server without
 * that, by the path that Wompi documents.
 */
async function readMerchant(ask: AskWompi, publicKey: string): Promise<unknown> {
  try {
    return await ask({ path: '/merchants/info', isPublic: true });
  } catch (error) {
    if (!(error instanceof RailUnavailable) || error.retryAfter !== undefined) throw error;
    return await ask({ path: `/merchants/${publicKey}`, isPublic: true }).catch(() => {
      throw error;
    });
  }
}

/** The token is not verified: it only goes back to Wompi, which issued it. */
function claimsOf(token: string): z.infer<typeof claims> {
  try {
    return claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')));
  } catch {
    return { file_hash: undefined, exp: 0 };
  }
}
