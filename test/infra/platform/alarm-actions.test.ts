import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type stageNames, synthesise } from '#test/support/synthesised.ts';

const actions = z._default(z.array(z.unknown()), []);
const alarmProperties = z.object({ AlarmActions: actions, OKActions: actions });
const alarmsOf = (stageName: (typeof stageNames)[number]) => {
  const service = synthesise(stageName);
  return service.ofType('AWS::CloudWatch::Alarm', alarmProperties).map(({ path, properties }) => ({
    path,
    alarm: properties.AlarmActions.map(service.text),
    ok: properties.OKActions.map(service.text),
  }));
};

/** Alarms that call a person: money that waits, and standstills. */
const calling = [
  // Money: every fault of the functions that credit, settle and complete, of the sweep that tells payouts of it, and what
  // a route reports.
  ...[
    'ClientStatusChanges/apply-client-status',
    'Detection/balance-deposits',
    'Detection/match-deposit',
    'Detection/reconcile-custodian',
    'Detection/release-due-deposits',
    'Detection/Returns/send-returns',
    'PayinSettlement/balance-payments',
    'PayinSettlement/reconcile-payments',
    'PayinSettlement/settle-open-payins',
    'Publication/publish-overdue-changes',
    'StatusChanges/apply-status-change',
    'Verification/check-deposit',
    'Verification/restart-lost-verifications',
  ].flatMap((path) => [`${path}/Logs/ReportedAlarm`, `${path}/Thrown`]),
  'RoutesLog/ReportedAlarm',
  // Messages that nothing sends again; those of deliveries and deposits are sent again by their sweeps.
  ...['ClientStatusChanges/Results', 'Deliveries/Events', 'Deliveries/Replays', 'StatusChanges/Told'].map(
    (path) => `${path}/DeadLetters/NotEmpty`,
  ),
  // Standstills: of a queue, of the function that takes its messages, a sweep, an API, the custodian, the rail.
  ...[
    'ClientStatusChanges/Results',
    'Deliveries/Events',
    'Deliveries/FirstAttempts',
    'Deliveries/Replays',
    'Deliveries/Retries',
    'Detection/NotifiedTransfers',
    'StatusChanges/Told',
  ].map((path) => `${path}/Waiting`),
  ...[
    'ClientStatusChanges/apply-client-status',
    'Deliveries/deliver-webhook',
    'Deliveries/fan-out-event',
    'Deliveries/replay-client-events',
    'Detection/match-deposit',
    'StatusChanges/apply-status-change',
  ].map((path) => `${path}/HandlesNothing`),
  ...[
    'ClientStatusChanges/apply-client-status',
    'Deliveries/deliver-webhook',
    'Detection/match-deposit',
    'StatusChanges/apply-status-change',
  ].map((path) => `${path}/ManyUnhandled`),
  ...[
    'Deliveries/release-due-deliveries',
    'Detection/balance-deposits',
    'Detection/reconcile-custodian',
    'Detection/release-due-deposits',
    'Detection/Returns/send-returns',
    'Expired/end-expired-operations',
    'PayinSettlement/balance-payments',
    'PayinSettlement/reconcile-payments',
    'PayinSettlement/settle-open-payins',
    'Publication/publish-overdue-changes',
    'Verification/restart-lost-verifications',
  ].map((path) => `${path}/NotRunning`),
  // Notifications that are throttled or refused before any code reads them.
  'Providers/AccessLog/ThrottledAlarm',
  'Providers/SignedFromElsewhere',
  'Clients/Failing',
  'Providers/Failing',
  'Ages/measure-ages/NotRunning',
  'Ages/Unmeasured',
  'Ages/Unwritten',
  'Ages/OldestUnpublishedEvent',
  'Ages/LongestOverduePollOfADeposit',
  'Ages/LongestOverduePollOfAHash',
  'Ages/LongestOverduePollOfAPayIn',
  'Ages/LongestOverdueCheckOfAVerification',
  'Ages/LongestOverdueReturn',
  'Ages/OldestUnpaidOffRamp',
  'Custodian/AnswersNothing',
  'Custodian/Unavailable',
  'Custodian/ListsNothing',
  'Custodian/NotNotified',
  'Detection/Returns/Unanswered',
  'PayinSettlement/AnswersNothing',
  'PayinSettlement/Unavailable',
  'Access/Refused',
  'Canary/Failing',
  'Canary/call-as-client/NotRunning',
  // Objectives whose error budget of a month would be used up in two days.
  ...['Answers', 'Credit', 'FirstCall', 'Latency'].map((objective) => `Objectives/${objective}/BurnsFast`),
];

const [call, notice] = ['on-call', 'notices'].map(
  (topic) => `arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:example-${topic}`,
);

describe('the alarms of prod', () => {
  const alarms = alarmsOf('prod');

  test('call a person only when money waits or something stands still until a person acts', () => {
    const called = alarms.filter(({ alarm }) => alarm.includes(call ?? ''));
    expect(called.map(({ path }) => path).sort()).toEqual(calling.toSorted());
  });

  test('go to the call topic or the notice topic of the settings, both when they go off and when they end', () => {
    expect(alarms.filter(({ alarm }) => alarm.includes(notice ?? '')).length).toBeGreaterThan(20);
    for (const { alarm, ok } of alarms) {
      expect([[call], [notice]]).toContainEqual(alarm);
      expect(ok).toEqual(alarm);
    }
  });
});

/** When an alarm goes off: its threshold, in how many of how many periods, and the seconds of a period. */
const patience = z.pipe(
  z.object({
    Threshold: z.number(),
    DatapointsToAlarm: z.optional(z.int()),
    EvaluationPeriods: z.int(),
    Period: z.optional(z.int()),
    Metrics: z._default(z.array(z.object({ MetricStat: z.optional(z.object({ Period: z.int() })) })), []),
  }),
  z.transform(({ Threshold, EvaluationPeriods: of, DatapointsToAlarm: failing = of, Period, Metrics }) => {
    const seconds = [...new Set([Period, ...Metrics.map(({ MetricStat }) => MetricStat?.Period)])].filter(Boolean);
    return `${Threshold} in ${failing} of ${of} of ${seconds}`;
  }),
);

test.each([
  [/^Ages\/Oldest(?!Un(published|paid))/, 'a day', '86400 in 3 of 3 of 60'],
  [/^Ages\/LongestOverdue/, 'ten minutes', '600 in 3 of 3 of 60'],
  [/^Ages\/OldestUnpublishedEvent$/, 'five minutes', '300 in 3 of 3 of 60'],
  [/^Ages\/OldestUnpaidOffRamp$/, 'the hours of the settings', '14400 in 3 of 3 of 60'],
  [/^Ages\/Unmeasured$/, 'five minutes without an age', '1 in 5 of 5 of 60'],
  [/\/(NotRunning|Unwritten)$/, 'five minutes without a run', '1 in 1 of 1 of 300'],
  [/\/Waiting$/, 'half an hour in a queue', '1800 in 1 of 1 of 300'],
  [/^(?!PayinSettlement).*\/(HandlesNothing|AnswersNothing)$/, 'three of ten minutes', '1 in 3 of 10 of 60'],
  [/^PayinSettlement\/AnswersNothing$/, 'ten minutes', '1 in 1 of 1 of 600'],
  [/\/(ListsNothing|Unanswered)$/, 'ten of fifteen minutes', '1 in 10 of 15 of 60'],
  [/\/Unavailable$/, 'ten questions in ten minutes', '10 in 1 of 1 of 600'],
  [/\/NotNotified$/, 'three in an hour', '3 in 1 of 1 of 3600'],
  [/^(?!Deliveries).*\/ManyUnhandled$/, 'ten messages in five minutes', '10 in 1 of 1 of 300'],
  [/^Deliveries.*\/ManyUnhandled$/, 'a hundred messages in five minutes', '100 in 1 of 1 of 300'],
  [/\/(Thrown|ReportedAlarm|NotEmpty)$/, 'one minute with a failure', '1 in 1 of 1 of 60'],
  [/^Canary\/Failing$/, 'three of five minutes', '1 in 3 of 5 of 60'],
])('alarms that match %s wait no longer than %s', (path, _, waits) => {
  const found = synthesise('prod').ofType('AWS::CloudWatch::Alarm', patience);
  const named = found.filter((alarm) => path.test(alarm.path));
  expect(new Set(named.map(({ properties }) => properties))).toEqual(new Set([waits]));
});

describe('the topics of staging', () => {
  const service = synthesise('staging');

  test('belong to its stack and are among its outputs; each alarm uses the same one of the two as in prod', () => {
    const kinds = new Map(alarmsOf('prod').map(({ path, alarm }) => [path, alarm[0]]));
    for (const { path, alarm, ok } of alarmsOf('staging')) {
      const expected = kinds.get(path) === call ? '<CallTopic>' : '<NoticeTopic>';
      if (kinds.has(path)) expect([path, alarm]).toEqual([path, [expected]]);
      expect(ok).toEqual(alarm);
      expect(['<CallTopic>', '<NoticeTopic>']).toContain(alarm[0]);
    }
    const outputs = ['CallTopicArn', 'NoticeTopicArn'].map((name) => service.text(service.outputs[name]));
    expect(outputs).toEqual(['<CallTopic>', '<NoticeTopic>']);
  });

  // The topic's own policy replaces the default one, by which alarms of the account may publish.
  test('let the alarms of the account publish, and nobody without TLS', () => {
    const policies = service.ofType('AWS::SNS::TopicPolicy', z.object({ PolicyDocument: z.unknown() }));
    expect(policies.map(({ path }) => path)).toEqual(['CallTopic/Policy', 'NoticeTopic/Policy']);
    for (const { properties } of policies) {
      expect(properties.PolicyDocument).toMatchObject({
        Statement: [
          { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      });
    }
  });
});

test('the alarms of the local stage notify nobody', () => {
  expect(alarmsOf('local').filter(({ alarm, ok }) => alarm.length + ok.length > 0)).toEqual([]);
});
