import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** Percent of the budget: what a month has cost, and what AWS expects of its end. */
const told = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * Tells the topic when a month costs nearly what the settings expect. It counts all of the account, not what has the
 * stage's tags: traces and metrics have none, and a tag counts nothing until somebody activates it for bills. It has no
 * name, because AWS makes another budget when a notification changes, and a name cannot be had twice.
 */
export function watchSpending(scope: Construct, monthlyBudget: number, topic: ITopic): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      // In the account that pays for an organisation, the others are not counted.
      costFilters: { LinkedAccount: [Aws.ACCOUNT_ID] },
      // What is used, whatever AWS gives or pays back.
      costTypes: { includeCredit: false, includeRefund: false },
    },
    notificationsWithSubscribers: told.map((one) => ({
      notification: { ...one, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  });
}
