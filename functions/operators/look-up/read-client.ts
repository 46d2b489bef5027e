import type { readClient as contract } from '#shared/clients/client-commands.ts';
import type { FindClientProfile } from '#shared/clients/client-profile-store.ts';
import { liveDigests } from '#shared/clients/client-secrets.ts';
import type { FindClient } from '#shared/clients/client-store.ts';
import { noClient } from '#shared/operators/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly findProfile: FindClientProfile;
  readonly findClient: FindClient;
  readonly clock: Clock;
}

export function readClient({ findProfile, findClient, clock }: Dependencies): UseCase<typeof contract> {
  return async ({ query }) => {
    const { clientId } = query();
    const [profile, secrets] = await Promise.all([findProfile(clientId), findClient(clientId)]);
    if (profile === undefined || secrets === undefined) throw noClient();
    const live = liveDigests(secrets, clock.now()).length;
    return {
      body: {
        ...profile,
        liveSecrets: live,
        ...(live > 1 && { previousSecretUntil: secrets.previousSecretUntil }),
      },
      ids: { clientId },
    };
  };
}
