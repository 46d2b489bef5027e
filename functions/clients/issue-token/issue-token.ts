import { ACCESS_TOKEN_SECONDS, type issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { type FindClient, hasCertificateOf } from '#shared/clients/client-repository.ts';
import { isLiveSecret } from '#shared/clients/client-secrets.ts';
import type { TakeToken } from '#shared/clients/token-limit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { readCredentials } from './credentials.ts';

interface Dependencies {
  readonly findClient: FindClient;
  readonly takeToken: TakeToken;
  readonly sign: (clientId: string, tokenId: string) => Promise<string>;
  readonly clock: Clock;
  readonly newId: () => string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Stands in for an unknown client, so that neither the answer nor its time differs from a known one. */
const NO_CLIENT = {
  clientId: '00000000-0000-0000-0000-000000000000',
  secretDigests: ['0'.repeat(64), '0'.repeat(64)],
  certificateSubjects: undefined,
};

const TOO_MANY =
  'The client requests too many access tokens. Use each one for its five minutes, and repeat this request after the seconds in Retry-After.';

export function issueToken({
  findClient,
  takeToken,
  sign,
  clock,
  newId,
}: Dependencies): UseCase<typeof issueTokenContract> {
  return async ({ bytes, http }) => {
    const credentials = readCredentials(http, bytes());
    const claimedId = UUID.test(credentials.client_id) ? credentials.client_id.toLowerCase() : NO_CLIENT.clientId;
    const client = (await findClient(claimedId)) ?? NO_CLIENT;
    const isLive = isLiveSecret(credentials.client_secret, client, clock.now());
    if (!isLive || !hasCertificateOf(client, http.certificateSubject)) {
      throw new ApiError(apiErrors.INVALID_CLIENT, { ids: { clientId: client.clientId } });
    }
    const retryAfterSeconds = await takeToken(client.clientId);
    if (retryAfterSeconds > 0) {
      throw new ApiError(apiErrors.TOO_MANY_REQUESTS, {
        detail: TOO_MANY,
        retryAfterSeconds,
        ids: { clientId: client.clientId },
      });
    }
    const tokenId = newId();
    return {
      body: {
        access_token: await sign(client.clientId, tokenId),
        token_type: 'Bearer',
        expires_in: ACCESS_TOKEN_SECONDS,
      },
      ids: { clientId: client.clientId, tokenId },
    };
  };
}
