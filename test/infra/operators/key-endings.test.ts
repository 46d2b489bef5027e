import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Synthesised, synthesise } from '#test/support/synthesised.ts';

const rule = z.object({
  EventPattern: z.looseObject({}),
  Targets: z.optional(z.array(z.object({ Arn: z.unknown(), RoleArn: z.optional(z.unknown()) }))),
});
const policy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({ Action: z.unknown(), Resource: z.unknown(), Condition: z.optional(z.looseObject({})) }),
    ),
  }),
});
const rulesOf = (service: Synthesised) =>
  service.ofType('AWS::Events::Rule', z.partial(rule)).filter(({ path }) => path === 'KeyEndings');

test.each(['staging', 'prod'] as const)(
  '%s calls somebody when one of its keys is disabled or scheduled for deletion',
  (stage) => {
    const service = synthesise(stage);
    const [found] = rulesOf(service);
    const pattern = z
      .object({
        source: z.tuple([z.literal('aws.kms')]),
        detail: z.object({ eventName: z.array(z.string()), resources: z.object({ ARN: z.array(z.unknown()) }) }),
      })
      .parse(found?.properties.EventPattern);
    expect(pattern.detail.eventName).toEqual(['DisableKey', 'ScheduleKeyDeletion']);
    const keys = service.ofType('AWS::KMS::Key', z.unknown()).map(({ path }) => `<${path}.Arn>`);
    expect(pattern.detail.resources.ARN.map((arn) => service.text(arn)).sort()).toEqual(keys.sort());
    const [target] = found?.properties.Targets ?? [];
    const topic = stage === 'prod' ? /:example-on-call$/ : /^<CallTopic>$/;
    expect(service.text(target?.Arn)).toMatch(topic);
    expect(service.text(target?.RoleArn)).toBe('<KeyEndings/EventsRole.Arn>');
    const allowed = service
      .ofType('AWS::IAM::Policy', z.unknown())
      .filter(({ path }) => path.startsWith('KeyEndings/'))
      .flatMap(({ properties }) => policy.parse(properties).PolicyDocument.Statement);
    const [publishing, ...others] = allowed;
    expect([publishing?.Action, service.text(publishing?.Resource)]).toEqual([
      'sns:Publish',
      service.text(target?.Arn),
    ]);
    // Without these, a topic that is encrypted by a key of the company gets no message, and nobody is told.
    expect(others.map(({ Action, Resource }) => [Action, service.text(Resource)])).toEqual([
      [['kms:Decrypt', 'kms:GenerateDataKey'], 'arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*'],
    ]);
    expect(JSON.stringify(others.map(({ Condition }) => Condition))).toContain('kms:ViaService');
  },
);

test('the local AWS has no such rule, as it has nobody to call', () => {
  expect(rulesOf(synthesise('local'))).toEqual([]);
});
