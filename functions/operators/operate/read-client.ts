import type { readClient as contract } from '#shared/clients/client-commands.ts';
import type { ClientOnboarding } from '#shared/clients/client-onboarding-store.ts';
import type { FindClientProfile } from '#shared/clients/client-profile-store.ts';
import { liveDigests } from '#shared/clients/client-secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { noClient } from './no-client.ts';

interface Dependencies {
  readonly findProfile: FindClientProfile;
  readonly clients: Pick<ClientOnboarding, 'findSecrets'>;
  readonly clock: Clock;
}

export function readClient({ findProfile, clients, clock }: Dependencies): UseCase<typeof contract> {
  return async ({ query }) => {
    const { clientId } = query();
    const [profile, secrets] = await Promise.all([findProfile(clientId), clients.findSecrets(clientId)]);
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
