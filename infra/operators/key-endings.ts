import { Aws, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Keys } from '#infra/platform/keys.ts';

/**
 * Alerts people when a key of the service is disabled, or its deletion scheduled: the key is unusable from then on, and
 * for 30 days, or as few as 7, a person can cancel the deletion. The account's trail of CloudTrail reports such calls;
 * without a trail there is no alert.
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
  // EventBridge publishes with a role, so that the policies of a topic that the settings name, and of its key, need
  // not name this rule.
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
