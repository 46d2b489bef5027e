import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createEventBus, ServiceBus } from '#infra/events/event-bus.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { type Stage, stageNamed } from '#infra/stages.ts';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const ownPublishers = ['publish-overdue-changes', 'publish-status-changes'];

const condition = z.record(z.string(), z.record(z.string(), z.unknown()));
const busPolicy = z.object({
  Statement: z.object({
    Effect: z.string(),
    Action: z.string(),
    Principal: z.unknown(),
    Resource: z.unknown(),
    Condition: condition,
  }),
});
const role = z.object({
  Policies: z._default(
    z.array(
      z.object({
        PolicyDocument: z.object({
          Statement: z.array(
            z.object({ Action: z.union([z.string(), z.array(z.string())]), Condition: z.optional(condition) }),
          ),
        }),
      }),
    ),
    [],
  ),
});

describe.each(stageNames)('the source of an event on the bus of %s', (stageName) => {
  const service = synthesise(stageName);

  test('is one that the function which puts it is for, in every event of a call', () => {
    const putting = service.ofType('AWS::IAM::Role', role).flatMap(({ path, properties }) =>
      properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        .filter(({ Action }) => Action === 'events:PutEvents')
        .map(({ Condition }) => [path.split('/').at(-2), Condition]),
    );
    const only = (...sources: string[]) => ({
      'ForAllValues:StringEquals': { 'events:source': sources },
    });
    const sandbox = [
      ['complete-payout', only('payments.payouts')],
      ['simulate-client', only('payments.compliance')],
      ['simulate-operation', only('payments.compliance', 'payments.payouts')],
    ];
    const operators = ['operate-clients', only('payments.compliance')];
    const own = ownPublishers.map((name) => [name, only('payments.ramp')]);
    expect(putting.sort()).toEqual([...(stageName === 'prod' ? [] : sandbox), operators, ...own].sort());
  });
});

// The local AWS knows no policy of a bus.
describe.each(['staging', 'prod'] as const)('our own source on the bus of %s', (stageName) => {
  const service = synthesise(stageName);

  test('is for the two functions that publish ours, whatever else an identity of the account may do', () => {
    const statements = service.ofType('AWS::Events::EventBusPolicy', busPolicy);
    expect(statements.map(({ properties }) => properties.Statement)).toMatchObject([
      {
        Effect: 'Deny',
        Action: 'events:PutEvents',
        Principal: { AWS: '*' },
        Condition: { 'ForAnyValue:StringEquals': { 'events:source': 'payments.ramp' } },
      },
    ]);
    const [policy] = statements.map(({ properties }) => properties.Statement);
    const excepted = z.array(z.unknown()).parse(policy?.Condition['ArnNotEquals']?.['aws:PrincipalArn']);
    expect(service.text(policy?.Resource)).toBe('<EventBus.Arn>');
    expect(excepted.map(service.text).sort()).toEqual(ownPublishers.map((name) => `<Publication/${name}/Role.Arn>`));
  });
});

describe('publishers that the settings name', () => {
  const payouts = 'arn:aws:iam::222233334444:role/payouts';
  const stack = new Stack(new App(), 'Any', { env: { account: '111122223333', region: 'us-east-1' } });
  const stage: Stage = { ...stageNamed('staging'), settings: { publishers: { 'payments.payouts': [payouts] } } };
  const bus = new ServiceBus(stack, 'Bus', { eventBus: createEventBus(stack, stage), stage });
  const queue = new WorkQueue(stack, 'Queue', { stage, visibilitySeconds: 90, maxReceives: 20, impact: '' });
  bus.queueEvents(queue, 'OperationStatus', { description: '', eventPattern: { source: ['payments.payouts'] } });
  const template = Template.fromStack(stack);
  const statements = Object.values(template.findResources('AWS::Events::EventBusPolicy'))
    .map(({ Properties }) => busPolicy.parse(Properties).Statement)
    .filter(({ Condition }) => JSON.stringify(Condition).includes('payments.payouts'));

  test('may put events of their source, from their own account too, and nobody else may', () => {
    expect(statements).toMatchObject([
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Condition: {
          'ForAnyValue:StringEquals': { 'events:source': 'payments.payouts' },
          ArnNotEquals: { 'aws:PrincipalArn': [payouts] },
        },
      },
      {
        Effect: 'Allow',
        Principal: { AWS: payouts },
        Condition: { 'ForAllValues:StringEquals': { 'events:source': ['payments.payouts'] } },
      },
    ]);
  });

  test('are heard, wherever their account is', () => {
    const rules = Object.values(template.findResources('AWS::Events::Rule'));
    const pattern = z.object({ EventPattern: z.object({ account: z.array(z.string()) }) });
    expect(rules.map(({ Properties }) => pattern.parse(Properties).EventPattern.account)).toEqual([
      ['111122223333', '222233334444'],
    ]);
  });
});
