import type { rotateSecretContract } from '#shared/clients/client-commands.ts';
import type { ClientOnboarding, FindClient } from '#shared/clients/client-repository.ts';
import { rotated, rotatedNow } from '#shared/clients/client-secrets.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly clients: Pick<ClientOnboarding, 'replaceSecrets'>;
  readonly findClient: FindClient;
  readonly clock: Clock;
  readonly newSecret: () => string;
}

/** A new secret, beside the existing one or instead of all (decisions.md 11, Clients). Only this answer has it. */
export function rotateSecret({
  clients,
  findClient,
  clock,
  newSecret,
}: Dependencies): Change<typeof rotateSecretContract> {
  return async ({ clientId, now }) => {
    const seen = await findClient(clientId);
    if (seen === undefined) throw noClient();
    const clientSecret = newSecret();
    const after = now ? rotatedNow(clientSecret) : rotated(seen, clientSecret, clock.now());
    // The secret of a concurrent rotation was shown and must stay valid.
    if (!(await clients.replaceSecrets(clientId, seen, after))) {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: 1 });
    }
    return {
      body: { clientId, clientSecret, ...(!now && { previousSecretUntil: after.previousSecretUntil }) },
      ids: { clientId },
    };
  };
}
