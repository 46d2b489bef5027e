import { Aws, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Keys } from '#infra/platform/keys.ts';

/**
 * Calls somebody when a key of the service is disabled, or its deletion scheduled: it is of no use from then on, and for 30
 * days, or as few as 7, a person can take the deletion back. The account's trail of CloudTrail tells of such calls; without
 * a trail nobody hears of them.
 */
export function watchKeys(scope: Construct, keys: Keys, topic: ITopic): void {
  const rule = new Rule(scope, 'KeyEndings', {
    description: 'A key of the service is disabled or will be deleted: docs/disaster.md, A key',
    eventPattern: {
      source: ['aws.kms'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: Object.values(keys).map(({ keyArn }) => keyArn) },
      },
    },
  });
  // By a role, because the policies of a topic of your own and of its key need not know this rule.
  const role = new Role(rule, 'EventsRole', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
  rule.addTarget(new SnsTopic(topic, { role }));
  role.addToPolicy(
    new PolicyStatement({
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [`arn:${Aws.PARTITION}:kms:${Aws.REGION}:${Aws.ACCOUNT_ID}:key/*`],
      conditions: { StringEquals: { 'kms:ViaService': `sns.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
    reason: 'The settings name the topic, not the key that encrypts it; SNS alone can use one for this role.',
  });
}
