import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** Percent of the budget: the costs of a month so far, and AWS's forecast for its end. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * Notifies the topic when a month costs nearly what the settings expect. The budget counts the whole account, not what
 * has the stage's tags: traces and metrics have none, and a tag counts nothing until somebody activates it for bills.
 * It has no name, because AWS makes another budget when a notification changes, and two cannot have one name.
 */
export function watchSpending(scope: Construct, monthlyBudget: number, topic: ITopic): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      // In the account that pays for an organisation, the other accounts are not counted.
      costFilters: { LinkedAccount: [Aws.ACCOUNT_ID] },
      // Counts what is used, without the credits and refunds of AWS.
      costTypes: { includeCredit: false, includeRefund: false },
    },
    notificationsWithSubscribers: thresholds.map((one) => ({
      notification: { ...one, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  });
}
