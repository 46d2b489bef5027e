import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNamed } from '#infra/stage/stages.ts';
import { SLOT_LEASE } from '#shared/platform/dynamodb/slots.ts';
import {
  functionCalledBy,
  functionsOf,
  grantsOf,
  type Synthesised,
  stageNames,
  synthesise,
} from '#test/support/synthesised.ts';

const queueProperties = z.object({
  MessageRetentionPeriod: z.int(),
  VisibilityTimeout: z.optional(z.int()),
  DelaySeconds: z.optional(z.int()),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.int() })),
});

const mappingProperties = z.object({
  EventSourceArn: z.unknown(),
  FunctionName: z.unknown(),
  BatchSize: z.int(),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.int() })),
  FunctionResponseTypes: z._default(z.array(z.string()), []),
});

const alarmProperties = z.object({
  AlarmDescription: z.string(),
  Namespace: z.optional(z.string()),
  MetricName: z.optional(z.string()),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
});

const ruleProperties = z.object({
  EventBusName: z.optional(z.unknown()),
  EventPattern: z.optional(z.unknown()),
  ScheduleExpression: z.optional(z.string()),
  Targets: z.array(z.object({ Arn: z.unknown(), DeadLetterConfig: z.optional(z.object({ Arn: z.unknown() })) })),
});

const rulesOf = (service: Synthesised) =>
  service.ofType('AWS::Events::Rule', ruleProperties).map(({ path, properties }) => ({
    path,
    pattern: properties.EventPattern,
    schedule: properties.ScheduleExpression,
    bus: service.text(properties.EventBusName),
    targets: properties.Targets.map(({ Arn, DeadLetterConfig }) => [
      service.text(Arn),
      ...(DeadLetterConfig === undefined ? [] : [service.text(DeadLetterConfig.Arn)]),
    ]),
  }));

describe.each(stageNames)('every queue of %s', (stageName) => {
  const service = synthesise(stageName);
  const functions = functionsOf(service);
  const queues = service.ofType('AWS::SQS::Queue', queueProperties);
  /** All queues but those of dead letters and the one of stream records that could not be handled. */
  const working = queues.filter(({ path }) => !/\/DeadLetters\/Queue$|^Publication\/Unhandled\//.test(path));
  const mappings = service.ofType('AWS::Lambda::EventSourceMapping', mappingProperties);
  const alarms = service.ofType('AWS::CloudWatch::Alarm', alarmProperties);

  test('keeps its messages for 14 days', () => {
    expect(new Set(queues.map(({ properties }) => properties.MessageRetentionPeriod))).toEqual(new Set([14 * 86_400]));
  });

  test('has dead letters of its own', () => {
    expect(working).not.toEqual([]);
    const own = working.map(({ path }) => `<${path.replace(/Queue$/, 'DeadLetters/Queue')}.Arn>`);
    const named = working.map(({ properties }) => service.text(properties.RedrivePolicy?.deadLetterTargetArn));
    expect(named).toEqual(own);
    expect(queues).toHaveLength(2 * working.length + 1);
  });

  test('has dead letters that operators are told to move back, and no other queue has', () => {
    const settings = Object.assign({}, ...functionsOf(service).map(({ environment }) => environment));
    const looked = z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()]));
    const told = looked.parse(JSON.parse(service.text(settings.DEAD_LETTERS))).filter(([, , , isMovable]) => isMovable);
    expect(told.map(([name]) => name)).toEqual(Object.keys(JSON.parse(service.text(settings.WORK_QUEUES))));
  });

  test.each(working)('has an alarm on its dead letters: $path', ({ path }) => {
    const deadLetters = `<${path.replace(/Queue$/, 'DeadLetters/Queue')}.QueueName>`;
    const onThem = alarms.filter(({ properties }) =>
      properties.Dimensions.some(({ Name, Value }) => Name === 'QueueName' && service.text(Value) === deadLetters),
    );
    expect(onThem.map(({ properties }) => properties.MetricName)).toEqual(['ApproximateNumberOfMessagesVisible']);
    expect(onThem[0]?.properties.AlarmDescription).toMatch(/Look at the dead-letter queue/);
  });

  test.each(working)(
    'is consumed message by message by one function, which is long done when a message becomes visible again: $path',
    ({ path, properties }) => {
      const consuming = mappings.filter(
        (mapping) => service.text(mapping.properties.EventSourceArn) === `<${path}.Arn>`,
      );
      expect(consuming.map((mapping) => mapping.properties.FunctionResponseTypes)).toEqual([
        ['ReportBatchItemFailures'],
      ]);
      const called = functionCalledBy(service.text(consuming[0]?.properties.FunctionName));
      const consumer = functions.find((one) => one.path === called);
      expect(properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * (consumer?.properties.Timeout ?? Infinity));
    },
  );
});

describe.each(stageNames)('functions of %s that put their own messages back', (stageName) => {
  const service = synthesise(stageName);
  const functions = functionsOf(service);
  const sends = grantsOf(service).filter(({ action }) => action === 'sqs:SendMessage');
  const mappings = service.ofType('AWS::Lambda::EventSourceMapping', mappingProperties);

  /** Names of the functions that take messages from the queues to which this function may send. */
  const takersFrom = (sender: string): readonly string[] => {
    const role = functions.find(({ name }) => name === sender)?.properties.Role;
    const queues = sends.filter((send) => `<${send.role}.Arn>` === service.text(role)).map(({ resource }) => resource);
    const taking = mappings
      .filter(({ properties }) => queues.includes(service.text(properties.EventSourceArn)))
      .map(({ properties }) => functionCalledBy(service.text(properties.FunctionName)));
    return functions.filter(({ path }) => taking.includes(path)).map(({ name }) => name);
  };
  /** The same functions, with those that take the messages that these send, and so on. */
  const takersAfter = (senders: readonly string[]): readonly string[] => {
    const found = [...new Set([...senders, ...senders.flatMap(takersFrom)])];
    return found.length === senders.length ? found : takersAfter(found);
  };

  test('are exempt from the loop detection of Lambda, which would move the sixteenth message to the dead letters', () => {
    const goingOn = functions.map(({ name }) => name).filter((name) => takersAfter(takersFrom(name)).includes(name));
    expect(goingOn.sort()).toEqual(['deliver-webhook', 'match-deposit', 'replay-client-events']);
    const allowed = service
      .ofType('AWS::Lambda::Function', z.object({ RecursiveLoop: z.optional(z.string()) }))
      .filter(({ properties }) => properties.RecursiveLoop === 'Allow');
    expect(allowed.map(({ path }) => path.split('/').at(-2)).sort()).toEqual(goingOn);
  });
});

describe.each(stageNames)('the consumers of queues in %s', (stageName) => {
  const service = synthesise(stageName);
  const limits = service
    .ofType('AWS::Lambda::EventSourceMapping', mappingProperties)
    .filter(({ properties }) => service.text(properties.EventSourceArn).endsWith('/Queue.Arn>'))
    .map(({ properties: { FunctionName, ScalingConfig } }) => [
      functionCalledBy(service.text(FunctionName)),
      ScalingConfig?.MaximumConcurrency,
    ]);

  test('decisions 10, concurrency: all have an upper limit, so that no queue uses up the concurrency of the account', () => {
    expect(limits.length).toBeGreaterThanOrEqual(6);
    for (const [, limit] of limits) {
      expect(limit).toBeGreaterThanOrEqual(2);
      expect(limit).toBeLessThanOrEqual(100);
    }
    const most = { local: 5, staging: 50, prod: 50 }[stageName];
    expect(limits).toContainEqual(['Detection/match-deposit/Function', most]);
  });
});

describe.each(stageNames)('the attempts of deliveries in %s', (stageName) => {
  const service = synthesise(stageName);
  const { deliverySlots } = stageNamed(stageName);
  const { first, retries } = deliverySlots;

  test('have separate slots for first and later attempts, and are made one at a time', () => {
    const mappings = service.ofType('AWS::Lambda::EventSourceMapping', mappingProperties);
    const slots = mappings.flatMap(({ properties: { EventSourceArn, BatchSize, ScalingConfig } }) => {
      const queue = /^<Deliveries\/(FirstAttempts|Retries)\/Queue.Arn>$/.exec(service.text(EventSourceArn))?.[1];
      return queue === undefined ? [] : [[queue, BatchSize, ScalingConfig?.MaximumConcurrency]];
    });
    expect(slots).toEqual([
      ['FirstAttempts', 1, first.all],
      ['Retries', 1, retries.all],
    ]);
  });

  test('decisions 7, isolation: no holder of a slot runs longer than its lease, and a function that calls endpoints not even half as long', () => {
    const grants = grantsOf(service).filter(({ resource }) => resource === '<Tables/slots.Arn>');
    const releasing = grants
      .filter(({ action }) => action === 'dynamodb:DeleteItem')
      .map(({ role }) => `<${role}.Arn>`);
    const timeouts = functionsOf(service).flatMap(({ name, properties: { Role, Timeout } }) =>
      releasing.includes(service.text(Role)) ? [[name, Timeout]] : [],
    );
    expect(Object.fromEntries(timeouts)).toEqual({
      'deliver-webhook': SLOT_LEASE / 2,
      'replay-client-events': SLOT_LEASE,
    });
  });

  test('decisions 7, isolation: one client has less than half of the slots, and one webhook no more than its client', () => {
    const deliver = functionsOf(service).find(({ name }) => name === 'deliver-webhook');
    expect(JSON.parse(String(deliver?.environment['DELIVERY_SHARES']))).toEqual(deliverySlots);
    const shares = { local: [2, 2], staging: [20, 10], prod: [20, 10] }[stageName];
    expect([first.perClient, retries.perClient]).toEqual(shares);
    for (const { all, perClient, perWebhook } of [first, retries]) {
      expect(perClient).toBeLessThan(all / 2);
      expect(perWebhook).toBeLessThanOrEqual(perClient);
    }
  });
});

describe.each(stageNames)('the stream of events in %s', (stageName) => {
  const service = synthesise(stageName);

  test('is handled faster than the API can write: ten batches of a shard at a time, with at least 512 MB', () => {
    const streamProperties = z.object({
      FunctionName: z.unknown(),
      StartingPosition: z.literal('TRIM_HORIZON'),
      BatchSize: z.int(),
      ParallelizationFactor: z.int(),
    });
    const [stream, ...others] = service
      .ofType('AWS::Lambda::EventSourceMapping', z.looseObject({}))
      .filter(({ properties }) => 'StartingPosition' in properties);
    expect(others).toEqual([]);
    expect(streamProperties.parse(stream?.properties)).toMatchObject({ BatchSize: 10, ParallelizationFactor: 10 });
    const publish = functionsOf(service).find(({ name }) => name === 'publish-status-changes');
    expect(publish?.properties.MemorySize).toBeGreaterThanOrEqual(512);
  });

  test('the alarm on stream records that were given up says that their queue has only positions, and where to look', () => {
    const [alarm, ...others] = service
      .ofType('AWS::CloudWatch::Alarm', alarmProperties)
      .filter(({ path }) => path.startsWith('Publication/Unhandled/'));
    expect(others).toEqual([]);
    expect(alarm?.properties.AlarmDescription).toMatch(/only positions in the stream.*index unpublished/s);
  });
});

describe.each(stageNames)('the bus of %s', (stageName) => {
  const service = synthesise(stageName);
  const rules = rulesOf(service);
  const account = {
    local: [{ Ref: 'AWS::AccountId' }, '000000000000'],
    staging: [{ Ref: 'AWS::AccountId' }],
    prod: ['111122223333'],
  }[stageName];

  test('has the name of its stack, so that other services can know it', () => {
    const buses = service.ofType('AWS::Events::EventBus', z.object({ Name: z.string() }));
    expect(buses.map(({ path, properties }) => [path, properties.Name])).toEqual([
      ['EventBus', `payin-offramp-${stageName}-data`],
    ]);
  });

  test('every rule belongs to this bus or to a schedule, except the rule on the state of keys', () => {
    const others = rules.filter(
      ({ bus, schedule }) => bus !== '<EventBus>' && !/^rate\(1 (minute|hour)\)$/.test(schedule ?? ''),
    );
    expect(others.map(({ path }) => path)).toEqual(stageName === 'local' ? [] : ['KeyEndings']);
  });

  test('every rule of it sends to a queue, and to that queue’s dead letters if the queue does not take the event', () => {
    for (const { path, bus, targets } of rules) {
      if (bus !== '<EventBus>') continue;
      const queue = path.replace(/\/\w+$/, '');
      expect(targets).toEqual([[`<${queue}/Queue.Arn>`, `<${queue}/DeadLetters/Queue.Arn>`]]);
    }
  });

  test('decisions 10, bus: payouts and compliance end operations, compliance alone approves clients', () => {
    const patterns = rules.filter(({ path }) => /^(?:Client)?StatusChanges\//.test(path));
    expect(patterns.map(({ pattern }) => pattern)).toEqual([
      { account, source: ['payments.compliance', 'payments.payouts'], 'detail-type': ['operation.status'] },
      // From compliance, the event is refused with an alarm; a rule that did not match it would drop it silently.
      { account, source: ['payments.compliance', 'payments.payouts'], 'detail-type': ['operation.payout_returned'] },
      { account, source: ['payments.compliance'], 'detail-type': ['client.status'] },
    ]);
  });

  test('its rules match events of our account and of the publishers, and of no other account', () => {
    const patterns = z.array(z.object({ account: z.unknown() }));
    const heard = patterns.parse(rules.flatMap(({ bus, pattern }) => (bus === '<EventBus>' ? (pattern ?? []) : [])));
    expect(heard).toHaveLength(stageName === 'prod' ? 5 : 6);
    expect(heard.map((pattern) => pattern.account)).toEqual(heard.map(() => account));
  });

  test(`payouts are ${stageName === 'prod' ? 'never ' : ''}simulated, from events of our own about verified operations`, () => {
    const ofSandbox = rules.filter(({ path }) => path.startsWith('SimulatedPayouts/'));
    const pattern = {
      account,
      source: ['payments.ramp'],
      'detail-type': ['ramp.operation.status_changed'],
      detail: { status: ['PENDING'] },
    };
    expect(ofSandbox.map((rule) => rule.pattern)).toEqual(stageName === 'prod' ? [] : [pattern]);
    const delays = service
      .ofType('AWS::SQS::Queue', queueProperties)
      .flatMap(({ properties }) => properties.DelaySeconds ?? []);
    expect(delays).toEqual(stageName === 'prod' ? [] : [5]);
  });
});
