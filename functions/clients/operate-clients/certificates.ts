import {
  type declareCertificateContract,
  MOST_CERTIFICATES,
  type withdrawCertificateContract,
} from '#shared/clients/client-commands.ts';
import type { ClientOnboarding } from '#shared/clients/client-onboarding.ts';
import type { FindClient } from '#shared/clients/client-repository.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly clients: Pick<ClientOnboarding, 'replaceSetting'>;
  readonly findClient: FindClient;
  readonly clock: Clock;
}

type Contract = typeof declareCertificateContract | typeof withdrawCertificateContract;

/**
 * A repeated declaration changes nothing. The withdrawal of an unknown subject is an error: with a mistyped subject, a
 * leaked certificate would stay valid.
 */
export function changeCertificates(
  { clients, findClient, clock }: Dependencies,
  does: 'declare' | 'withdraw',
): Change<Contract> {
  return async ({ clientId, subject }) => {
    const certificateSubjects = await retryOnConflict(clock, async () => {
      const seen = await findClient(clientId);
      if (seen === undefined) throw noClient();
      const { certificateSubjects: current = [] } = seen;
      if (does === 'declare' && current.includes(subject)) return current;
      const after = does === 'declare' ? [...current, subject] : without(current, subject);
      if (after.length > MOST_CERTIFICATES) {
        const message = `is one too many: a client has at most ${MOST_CERTIFICATES}`;
        throw invalid({ path: 'body.arguments.subject', code: 'TOO_MANY', message });
      }
      await clients.replaceSetting(seen, 'certificateSubjects', after);
      return after;
    });
    return { body: { clientId, certificateSubjects }, ids: { clientId } };
  };
}

function without(current: readonly string[], subject: string): string[] {
  const detail = 'The client has no certificate with this subject: client shows those that it has.';
  if (!current.includes(subject)) throw new ApiError(apiErrors.NOT_FOUND, { detail });
  return current.filter((one) => one !== subject);
}
