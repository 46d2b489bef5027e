import type { readClientContract } from '#shared/clients/client-lookups.ts';
import type { FindClient, FindClientProfile } from '#shared/clients/client-repository.ts';
import { liveDigests } from '#shared/clients/client-secrets.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';

interface Dependencies {
  readonly findProfile: FindClientProfile;
  readonly findClient: FindClient;
  readonly listChanges: ListChanges;
  readonly clock: Clock;
}

export function readClient(deps: Dependencies): UseCase<typeof readClientContract> {
  const { findProfile, findClient, listChanges, clock } = deps;
  return async ({ query }) => {
    const { clientId } = query();
    const [profile, secrets, changes] = await Promise.all([
      findProfile(clientId),
      findClient(clientId),
      listChanges(clientId),
    ]);
    if (profile === undefined || secrets === undefined) throw noClient();
    const live = liveDigests(secrets, clock.now()).length;
    return {
      body: {
        ...profile,
        liveSecrets: live,
        ...(secrets.dailyLimits && { dailyLimits: secrets.dailyLimits }),
        ...(live > 1 && { previousSecretUntil: secrets.previousSecretUntil }),
        resultIds: secrets.resultIds ?? [],
        ...(secrets.certificateSubjects?.length && { certificateSubjects: secrets.certificateSubjects }),
        changes,
      },
      ids: { clientId },
    };
  };
}
