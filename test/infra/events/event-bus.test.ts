import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createEventBus, ServiceBus } from '#infra/events/event-bus.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { type Stage, stageNamed } from '#infra/stage/stages.ts';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { functionsOf, stageNames, synthesise } from '#test/support/synthesised.ts';

const ownPublishers = ['publish-overdue-changes', 'publish-status-changes'];

const principals = z._default(z.array(z.unknown()), []);
const notifying = z.object({
  EventPattern: z.optional(z.object({ source: z.unknown(), 'detail-type': z.unknown() })),
  Targets: z.array(z.object({ InputTransformer: z.optional(z.unknown()) })),
});
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

describe.each(stageNames)('events that functions put on the bus of %s', (stageName) => {
  const service = synthesise(stageName);

  test('have a source that their function may use, for each event of a call', () => {
    const putting = service.ofType('AWS::IAM::Role', role).flatMap(({ path, properties }) =>
      properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        .filter(({ Action }) => Action === 'events:PutEvents')
        .map(({ Condition }) => [path.split('/').at(-2), Condition]),
    );
    const only = (...sources: string[]) => ({
      'ForAllValues:StringEquals': { 'events:source': sources },
    });
    const sandbox = [
      ['simulate-payout', only('payments.payouts')],
      ['simulate-client', only('payments.compliance')],
      ['simulate-operation', only('payments.compliance', 'payments.payouts')],
    ];
    const operators = ['operate-clients', only('payments.compliance')];
    const own = ownPublishers.map((name) => [name, only('payments.ramp')]);
    expect(putting.sort()).toEqual([...(stageName === 'prod' ? [] : sandbox), operators, ...own].sort());
  });
});

/** The statements of the bus's policy: the source of the events, and the principals that are allowed or excepted. */
function policyOf(service: ReturnType<typeof synthesise>) {
  return service.ofType('AWS::Events::EventBusPolicy', busPolicy).map(({ properties: { Statement } }) => {
    const { Effect, Action, Principal, Condition, Resource } = Statement;
    expect([Action, service.text(Resource)]).toEqual(['events:PutEvents', '<EventBus.Arn>']);
    const excepted = principals.parse(Condition['ArnNotEquals']?.['aws:PrincipalArn']);
    const of = Condition[Effect === 'Deny' ? 'ForAnyValue:StringEquals' : 'ForAllValues:StringEquals'];
    return { Effect, Principal, source: of?.['events:source'], excepted: excepted.map(service.text).sort() };
  });
}

const roleOf = (path: string) => `<${path}/Role.Arn>`;
const ownRoles = ownPublishers.map((name) => roleOf(`Publication/${name}`));
/** A role of a stack that is deployed later, so the policy knows it by its name. */
const operatorsOf = (stageName: string) =>
  `arn:<AWS::Partition>:iam::<AWS::AccountId>:role/payin-offramp-${stageName}-<AWS::Region>-operate-clients`;

// The local AWS has no policies of buses.
describe('decisions 10, Bus: nobody else puts events of our own source, of compliance or of payouts', () => {
  const toNobodyElse = (source: string, excepted: readonly string[]) => ({
    Effect: 'Deny',
    Principal: { AWS: '*' },
    source,
    excepted: [...excepted].sort(),
  });

  test('on the bus of staging, which names no publishers: only its own functions, operators and the sandbox do', () => {
    expect(policyOf(synthesise('staging'))).toEqual([
      toNobodyElse('payments.ramp', ownRoles),
      toNobodyElse('payments.compliance', [
        operatorsOf('staging'),
        roleOf('simulate-client'),
        roleOf('simulate-operation'),
      ]),
      toNobodyElse('payments.payouts', [roleOf('SimulatedPayouts/simulate-payout'), roleOf('simulate-operation')]),
    ]);
  });

  test('on the bus of prod: only the publishers of its settings do, and operators as compliance', () => {
    const service = synthesise('prod');
    const named = (name: string) => `arn:aws:iam::111122223333:role/example-${name}`;
    const to = (source: string, name: string) => ({
      Effect: 'Allow',
      Principal: { AWS: named(name) },
      source: [source],
      excepted: [],
    });
    expect(policyOf(service)).toEqual([
      toNobodyElse('payments.ramp', ownRoles),
      toNobodyElse('payments.compliance', [operatorsOf('prod'), service.text(named('compliance'))]),
      to('payments.compliance', 'compliance'),
      toNobodyElse('payments.payouts', [service.text(named('payouts'))]),
      to('payments.payouts', 'payouts'),
    ]);
  });

  // Of two statements put at once, EventBridge may keep one and answer both with success: the bus would be open.
  test.each(['staging', 'prod'] as const)(
    'on the bus of %s, where its statements are put one after the other',
    (stageName) => {
      const policies = synthesise(stageName).ofType('AWS::Events::EventBusPolicy', z.looseObject({}));
      const paths = policies.map(({ path }) => path);
      expect(paths.length).toBeGreaterThan(2);
      expect(policies.map(({ dependsOn }) => dependsOn)).toEqual([[], ...paths.slice(0, -1).map((path) => [path])]);
    },
  );

  test('a source that nobody may use is denied to everybody without a list of exceptions: AWS refuses an empty list', () => {
    const stack = new Stack(new App(), 'Any');
    const stage: Stage = { ...stageNamed('staging'), settings: {} };
    new ServiceBus(stack, 'Bus', { eventBus: createEventBus(stack, stage), stage });
    const statements = Object.values(Template.fromStack(stack).findResources('AWS::Events::EventBusPolicy')).map(
      ({ Properties }) => busPolicy.parse(Properties).Statement,
    );
    expect(statements.map(({ Effect, Principal, Condition }) => [Effect, Principal, Condition])).toEqual(
      ['payments.ramp', 'payments.compliance', 'payments.payouts'].map((source) => [
        'Deny',
        { AWS: '*' },
        { 'ForAnyValue:StringEquals': { 'events:source': source } },
      ]),
    );
  });
});

describe.each(stageNames)('decisions 7, event types: an event of the bus of %s that reaches webhooks', (stageName) => {
  const service = synthesise(stageName);
  const others = { local: ['partner.demo'], staging: [], prod: ['payments.compliance', 'payments.payouts'] }[stageName];
  const detailType = ['ramp.', 'compliance.', 'wallet_transfer.'].map((prefix) => ({ prefix }));
  const rules = service.ofType('AWS::Events::Rule', notifying).filter(({ path }) => path.startsWith('Deliveries/'));
  const patternOf = (name: string) => rules.find(({ path }) => path.endsWith(`/${name}`))?.properties;

  test('has our own source, or one that the settings name', () => {
    expect(patternOf('Notified')?.EventPattern).toEqual({
      source: ['payments.ramp', ...others],
      'detail-type': detailType,
    });
    expect(patternOf('Notified')?.Targets).toEqual([{}]);
  });

  test('is marked if it has another source, so that no function takes it for ours', () => {
    expect(patternOf('NotOurs')?.EventPattern).toEqual({
      source: [{ 'anything-but': ['payments.ramp', ...others] }],
      'detail-type': detailType,
    });
    const InputTransformer = { InputTemplate: '{"notOurs":<aws.events.event.json>}' };
    expect(patternOf('NotOurs')?.Targets).toEqual([{ InputTransformer }]);
  });

  test('is checked by the function, too, which knows the other sources and our own types', () => {
    const fanOut = functionsOf(service).find(({ name }) => name === 'fan-out-event');
    const texts = z.array(z.string());
    const given = (name: string) => texts.parse(JSON.parse(z.string().parse(fanOut?.environment[name])));
    expect(given('OTHER_SOURCES')).toEqual(others);
    expect(given('OWN_EVENT_TYPES').sort()).toEqual([...publishedEvents.map(eventTypeOf)].sort());
  });
});

describe('events of publishers that the settings name', () => {
  const payouts = 'arn:aws:iam::222233334444:role/payouts';
  const stack = new Stack(new App(), 'Any', { env: { account: '111122223333', region: 'us-east-1' } });
  const stage: Stage = { ...stageNamed('staging'), settings: { publishers: { 'payments.payouts': [payouts] } } };
  const bus = new ServiceBus(stack, 'Bus', { eventBus: createEventBus(stack, stage), stage });
  const queue = new WorkQueue(stack, 'Queue', { stage, visibilitySeconds: 90, maxReceives: 20, impact: '' });
  bus.queueEvents(queue, 'OperationStatus', { description: '', eventPattern: { source: ['payments.payouts'] } });
  const template = Template.fromStack(stack);

  test('match the rules although they come from another account', () => {
    const rules = Object.values(template.findResources('AWS::Events::Rule'));
    const pattern = z.object({ EventPattern: z.object({ account: z.array(z.string()) }) });
    expect(rules.map(({ Properties }) => pattern.parse(Properties).EventPattern.account)).toEqual([
      ['111122223333', '222233334444'],
    ]);
  });
});
