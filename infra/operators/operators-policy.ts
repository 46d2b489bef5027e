import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stage } from '#infra/stage/stages.ts';

/**
 * Refuses every role but those of operators, whatever else it may call, and every other address. The policy allows
 * nothing: for signed calls, an allowance here would need no policy of the identity, and everybody could do everything.
 */
export function operatorsPolicy({ settings }: Stage): PolicyDocument | undefined {
  const { operatorRoles, operatorAddresses, breakGlassRole } = settings;
  const refused = {
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  const statements: PolicyStatement[] = [];
  if (operatorRoles !== undefined) {
    const roles = [...operatorRoles, ...(breakGlassRole === undefined ? [] : [breakGlassRole])];
    statements.push(new PolicyStatement({ ...refused, conditions: { ArnNotEquals: { 'aws:PrincipalArn': roles } } }));
  }
  if (operatorAddresses !== undefined) {
    const conditions = { NotIpAddress: { 'aws:SourceIp': operatorAddresses } };
    statements.push(new PolicyStatement({ ...refused, conditions }));
  }
  return statements.length === 0 ? undefined : new PolicyDocument({ statements });
}
