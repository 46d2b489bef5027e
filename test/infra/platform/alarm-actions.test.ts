import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { synthesise } from '#test/support/synthesised.ts';

const actions = z._default(z.array(z.string()), []);
const alarmProperties = z.object({ AlarmActions: actions, OKActions: actions });
const alarmsOf = (stageName: 'staging' | 'prod') =>
  synthesise(stageName).ofType('AWS::CloudWatch::Alarm', alarmProperties);

/** What a person has to end: money that waits, and what stands still. */
const calling = [
  // Money: every fault of the functions that credit, settle and complete, and what a route reports.
  ...[
    'Detection/match-deposit',
    'Detection/release-due-deposits',
    'PayinSettlement/settle-open-payins',
    'StatusChanges/apply-status-change',
    'Verification/check-deposit',
    'Verification/restart-lost-verifications',
  ].flatMap((path) => [`${path}/Logs/ReportedAlarm`, `${path}/Thrown`]),
  'RoutesLog/ReportedAlarm',
  // Messages that nothing makes again; those of deliveries and deposits are made again by their sweeps.
  ...['Deliveries/Events', 'Deliveries/Replays', 'StatusChanges/Told'].map((path) => `${path}/DeadLetters/NotEmpty`),
  // Standstills: a queue, a sweep, an API.
  ...[
    'Deliveries/Events',
    'Deliveries/FirstAttempts',
    'Deliveries/Replays',
    'Deliveries/Retries',
    'Detection/NotifiedTransfers',
    'StatusChanges/Told',
  ].map((path) => `${path}/Waiting`),
  ...[
    'Deliveries/release-due-deliveries',
    'Detection/release-due-deposits',
    'PayinSettlement/settle-open-payins',
    'Publication/publish-overdue-changes',
    'Verification/restart-lost-verifications',
  ].map((path) => `${path}/NotRunning`),
  'Clients/Failing',
  'Providers/Failing',
];

describe('somebody is called', () => {
  const alarms = alarmsOf('prod');
  const withAction = alarms.filter(({ properties }) => properties.AlarmActions.length > 0);

  test('in prod when money waits or something stands still until a person acts, and then only', () => {
    expect(withAction.map(({ path }) => path).sort()).toEqual(calling.toSorted());
    expect(alarms.length).toBeGreaterThan(withAction.length);
  });

  test('by the topic of the settings, and told when it is over', () => {
    const topic = ['arn:aws:sns:us-east-1:111122223333:example-on-call'];
    expect(withAction.map(({ properties }) => properties)).toEqual(
      withAction.map(() => ({ AlarmActions: topic, OKActions: topic })),
    );
  });

  test('nowhere that names no topic', () => {
    const called = alarmsOf('staging').filter(({ properties }) => Object.values(properties).flat().length > 0);
    expect(called).toEqual([]);
  });
});
