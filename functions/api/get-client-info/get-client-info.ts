import type { getClientInfo as contract } from '#shared/contracts/client-info.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { FindClientProfile } from '#shared/dynamodb/client-profiles.ts';
import type { UseCase } from '#shared/http/use-case.ts';

/** A token of a client that is gone is worth as little as an expired one. */
export function getClientInfo(findProfile: FindClientProfile): UseCase<typeof contract> {
  return async ({ clientId }) => {
    const profile = await findProfile(clientId);
    if (profile === undefined) throw new Refusal('UNAUTHORIZED');
    return { body: profile };
  };
}
