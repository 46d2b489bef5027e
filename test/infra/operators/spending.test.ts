import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkSettings } from '#infra/stage/read-settings.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { type Synthesised, synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const budget = z.object({ Budget: z.unknown(), NotificationsWithSubscribers: z.array(z.unknown()) });

const budgetsOf = (service: Synthesised) => service.ofType('AWS::Budgets::Budget', budget);

const staging = stageNamed('staging');
const watched = synthesiseStage({ ...staging, settings: { ...staging.settings, monthlyBudget: 250 } });

test.each([
  ['prod', synthesise('prod'), 1000, 'arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:example-notices'],
  ['staging with the setting', watched, 250, '<NoticeTopic>'],
] as const)('%s notifies the notice topic when a month costs nearly its budget', (_, service, Amount, topic) => {
  const [found, ...others] = budgetsOf(service);
  expect([found?.stack, others]).toEqual(['operators', []]);
  expect(found?.properties.Budget).toEqual({
    BudgetLimit: { Amount, Unit: 'USD' },
    BudgetType: 'COST',
    CostFilters: { LinkedAccount: [{ Ref: 'AWS::AccountId' }] },
    CostTypes: { IncludeCredit: false, IncludeRefund: false },
    TimeUnit: 'MONTHLY',
  });
  const notifications = z.array(
    z.object({
      Notification: z.object({ NotificationType: z.string(), ComparisonOperator: z.string(), Threshold: z.int() }),
      Subscribers: z.array(z.object({ Address: z.unknown(), SubscriptionType: z.literal('SNS') })),
    }),
  );
  const told = notifications.parse(found?.properties.NotificationsWithSubscribers);
  expect(
    told.map(({ Notification: { NotificationType, ComparisonOperator, Threshold }, Subscribers }) => [
      ...[NotificationType, ComparisonOperator, Threshold],
      ...Subscribers.map(({ Address }) => service.text(Address)),
    ]),
  ).toEqual([
    ['ACTUAL', 'GREATER_THAN', 80, topic],
    ['FORECASTED', 'GREATER_THAN', 100, topic],
  ]);
});

test('a stage without the setting has no budget, and neither has the local AWS, which knows no budgets', () => {
  expect([budgetsOf(synthesise('staging')), budgetsOf(synthesise('local'))]).toEqual([[], []]);
});

test('only the notice topic lets budgets of the account publish, and only where there is a budget', () => {
  const statement = z.looseObject({ Principal: z.unknown(), Condition: z.unknown() });
  const policy = z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) });
  const allowedBy = (service: Synthesised) =>
    service
      .ofType('AWS::SNS::TopicPolicy', policy)
      .flatMap(({ path, properties }) =>
        properties.PolicyDocument.Statement.filter(({ Principal }) =>
          JSON.stringify(Principal).includes('budgets.amazonaws.com'),
        ).map(({ Condition }) => [path, Condition]),
      );
  const ofAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  expect(allowedBy(watched)).toEqual([['NoticeTopic/Policy', ofAccount]]);
  expect(allowedBy(synthesise('staging'))).toEqual([]);
});

test('production has its budget in regions where CloudFormation has budgets, and none elsewhere', () => {
  const file = new URL('../../../infra/settings/examples/prod.json', import.meta.url);
  const moveTo = (region: string, but: object = {}) =>
    JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8').replaceAll('us-east-1', region)), ...but });
  const check = (text: string) => () => checkSettings('prod.json', text, 'prod');
  for (const region of ['us-east-1', 'sa-east-1']) {
    expect(check(moveTo(region))).not.toThrow();
    expect(check(moveTo(region, { monthlyBudget: undefined }))).toThrow(/what a month may cost/);
  }
  for (const region of ['mx-central-1', 'eu-north-1', 'eu-central-2']) {
    expect(check(moveTo(region))).toThrow(`monthlyBudget cannot be kept in ${region}`);
    expect(check(moveTo(region, { monthlyBudget: undefined }))).not.toThrow();
  }
});
