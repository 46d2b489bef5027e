import type { endPreviousSecretContract, rotateSecretContract } from '#shared/clients/client-commands.ts';
import type { ClientOnboarding } from '#shared/clients/client-onboarding.ts';
import type { FindClient } from '#shared/clients/client-repository.ts';
import {
  type ClientSecrets,
  liveDigests,
  MOST_SECRETS,
  newestSecretOnly,
  secretsAfterLeak,
  secretsAfterRotation,
} from '#shared/clients/client-secrets.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly clients: Pick<ClientOnboarding, 'replaceSecrets'>;
  readonly findClient: FindClient;
  readonly clock: Clock;
  readonly newSecret: () => string;
}

/** Creates a secret beside the valid ones, or in place of all (decisions.md 11, Clients). Only this answer has it. */
export function rotateSecret({
  clients,
  findClient,
  clock,
  newSecret,
}: Dependencies): Change<typeof rotateSecretContract> {
  return async ({ clientId, now }) => {
    const seen = await findClient(clientId);
    if (seen === undefined) throw noClient();
    if (!now && liveDigests(seen, clock.now()).length >= MOST_SECRETS) throw tooMany(seen);
    const clientSecret = newSecret();
    const after = now ? secretsAfterLeak(clientSecret) : secretsAfterRotation(seen, clientSecret, clock.now());
    await replace(clients, clientId, seen, after);
    return {
      body: { clientId, clientSecret, ...(!now && { previousSecretUntil: after.previousSecretUntil }) },
      ids: { clientId },
    };
  };
}

/** The client may use any of its secrets: the service does not know which one could end. */
function tooMany({ previousSecretUntil }: ClientSecrets): ApiError {
  const message = `is needed, because ${MOST_SECRETS} secrets are valid until ${previousSecretUntil}. Once the client uses the newest one: end-previous-secret, and then this again`;
  return invalid({ path: 'body.arguments.now', code: 'REQUIRED', message });
}

/** Ends a leaked secret once the client uses its new one, so that there is no outage and no wait of 24 hours. */
export function endPreviousSecret({
  clients,
  findClient,
}: Pick<Dependencies, 'clients' | 'findClient'>): Change<typeof endPreviousSecretContract> {
  return async ({ clientId }) => {
    const seen = await findClient(clientId);
    if (seen === undefined) throw noClient();
    const after = newestSecretOnly(seen);
    await replace(clients, clientId, seen, after);
    return { body: { clientId, liveSecrets: after.secretDigests.length }, ids: { clientId } };
  };
}

/** @throws {ApiError} SERVICE_UNAVAILABLE: the secret of a concurrent rotation was shown and must stay valid. */
async function replace(
  clients: Dependencies['clients'],
  clientId: string,
  seen: ClientSecrets,
  after: ClientSecrets,
): Promise<void> {
  if (await clients.replaceSecrets(clientId, seen, after)) return;
  throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: 1 });
}
