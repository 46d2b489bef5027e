import { describePolls } from '#shared/off-ramps/contract/hash-answer.ts';
import type { listHashPollsContract } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function listHashPolls(
  operations: Pick<OffRamps, 'findWithVerification'>,
): UseCase<typeof listHashPollsContract> {
  return async ({ clientId, path, query }) => {
    const { verification } = await ownedOffRamp(operations, clientId, path);
    query();
    return { body: describePolls(verification) };
  };
}
