import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import type { Settings } from '#infra/stage/settings.ts';
import { sessionNameFaults } from './trust-policy.ts';

/**
 * Lists what must be fixed in the roles of operators before a stage is deployed, a sentence each.
 *
 * @param findTrust the trust policy of a role by its name, as IAM answers it
 */
export async function checkOperatorRoles(
  { operatorRoles = [], breakGlassRole }: Pick<Settings, 'operatorRoles' | 'breakGlassRole'>,
  findTrust: (roleName: string) => Promise<string>,
): Promise<readonly string[]> {
  // Without operatorRoles every identity may call, so no role has to limit the names of its callers.
  const called = operatorRoles.length === 0 || breakGlassRole === undefined ? [] : [breakGlassRole];
  const found = await Promise.all(
    [...operatorRoles, ...called].map(async (arn) => {
      const faults = await findTrust(arn.split('/').at(-1) ?? '').then(
        (trust) => sessionNameFaults(arn, decoded(trust)),
        (error: unknown) => [`its trust policy cannot be read: ${error instanceof Error ? error.message : error}`],
      );
      return faults.map((fault) => `${arn}: ${fault}`);
    }),
  );
  return found.flat();
}

/** Parses a policy, which IAM returns URL-encoded. */
function decoded(trust: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(trust));
  } catch {
    return undefined;
  }
}

/** Reads trust policies with the identity that deploys, which needs `iam:GetRole`. */
export function trustReader({ environment }: Settings, profile: string | undefined) {
  const region = environment?.region ?? 'us-east-1';
  const iam = new IAMClient({ region, ...(profile !== undefined && { profile }) });
  return async (RoleName: string): Promise<string> =>
    (await iam.send(new GetRoleCommand({ RoleName }))).Role?.AssumeRolePolicyDocument ?? '';
}
