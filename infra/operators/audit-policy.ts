import { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { denyToOthers } from '#infra/platform/named-roles.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { operatorModules } from './operator-routes.ts';

/**
 * The policy of the audit's table (decisions.md 11, Audit): only commands put items there, and nobody changes or
 * deletes one. The deployment owns the table itself, and writes no items.
 */
export function auditPolicy(scope: Construct, stage: Stage): PolicyDocument {
  const folders = operatorModules.map(({ changes }) => changes);
  const named = (...actions: readonly string[]) => actions.map((action) => `dynamodb:${action}`);
  return new PolicyDocument({
    statements: [
      denyToOthers(scope, stage, { sid: 'PutByCommandsOnly', actions: named('PutItem', 'PartiQLInsert'), folders }),
      denyToOthers(scope, stage, {
        sid: 'NeverChanged',
        actions: named('UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLUpdate', 'PartiQLDelete'),
        folders: [],
      }),
    ],
  });
}
