import { Aws, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage/stages.ts';

/**
 * The fixed name of a function's role, for a policy in the stack of the data. That stack is deployed first and knows
 * roles only by name; a role belongs to the whole account, so its name has the region.
 */
export function roleNameOf(scope: Construct, folder: string): string {
  const copy = Stack.of(scope).stackName.replace(/-(?:data|service|operators)$/, '');
  return `${copy}-${Aws.REGION}-${folder.split('/').at(-1)}`;
}

export function namedRoleArn(scope: Construct, folder: string): string {
  return `${IN_ACCOUNT}:role/${roleNameOf(scope, folder)}`;
}

const IN_ACCOUNT = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}`;

/**
 * Allows only these functions these actions, whatever else an identity of the account may do. The account's root and
 * the role for emergencies are never denied, so that somebody can fix a wrong policy.
 */
export function denyToOthers(
  scope: Construct,
  { settings }: Stage,
  {
    sid,
    actions,
    folders,
  }: { readonly sid: string; readonly actions: readonly string[]; readonly folders: readonly string[] },
): PolicyStatement {
  const excepted = [
    ...folders.map((folder) => namedRoleArn(scope, folder)),
    `${IN_ACCOUNT}:root`,
    ...(settings.breakGlassRole === undefined ? [] : [settings.breakGlassRole]),
  ];
  return new PolicyStatement({
    sid,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: [...actions],
    // The policy belongs to a resource whose ARN does not exist before it.
    resources: ['*'],
    conditions: { ArnNotEquals: { 'aws:PrincipalArn': excepted } },
  });
}
