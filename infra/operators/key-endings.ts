import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Keys } from '#infra/platform/keys.ts';

/**
 * Calls somebody when a key of the service is disabled, or its deletion scheduled: it is of no use from then on, and for
 * 30 days a person can take the deletion back. The account's trail of CloudTrail tells of such calls; without a trail
 * nobody hears of them.
 */
export function watchKeys(scope: Construct, keys: Keys, topic: ITopic): void {
  new Rule(scope, 'KeyEndings', {
    description: 'A key of the service is disabled or will be deleted: docs/disaster.md, A key',
    eventPattern: {
      source: ['aws.kms'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: Object.values(keys).map(({ keyArn }) => keyArn) },
      },
    },
    // By a role, because the policy of a topic of your own need not know this rule.
    targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
  });
}
