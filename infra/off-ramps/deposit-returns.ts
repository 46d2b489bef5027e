import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { allowAskingCustodians } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWithCode } from '#infra/platform/service-log.ts';
import { heldReturnsEnvironment, restoredEnvironment, returnsEnvironment } from './return-environment.ts';

/** Sends back the deposits whose return is approved. */
export class DepositReturns extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, keys: Keys) {
    super(scope, id);
    const { stage } = context;
    const send = new ServiceFunction(this, context, {
      folder: 'off-ramps/send-returns',
      movesMoney: true,
      tables: {
        deposits: ['GetItem', 'UpdateItem', 'Query:returns'],
        operations: ['GetItem', 'ConditionCheckItem'],
        hashes: ['PutItem'],
        events: ['PutItem', 'Query'],
      },
      memoryMegabytes: 256,
      // Shorter than the pause before a failed sending is checked again: by then no run still sends it.
      timeoutSeconds: 100,
      impact: 'Deposits whose return is approved are not sent back, or one has failed, or was undone.',
    });
    send.setting('NETWORK_RULES', JSON.stringify(stage.networkRules));
    for (const [name, value] of Object.entries({
      ...returnsEnvironment(stage),
      ...heldReturnsEnvironment(stage),
      ...restoredEnvironment(stage),
    }))
      send.setting(name, value);
    const returning = Object.entries(stage.custodians).filter(([network]) => network in stage.returns);
    const custodians = Object.fromEntries(returning);
    allowAskingCustodians(send, { ...stage, custodians }, keys, 'findTransfer', 'send', 'findSending', 'findOutgoing');
    new FailureAlarm(this, 'Stopped', {
      description:
        'A requested return was dropped, because its deposit has changed or is gone, or it waits, because its off-ramp may have been paid out, or because for a day its custodian has not finished it or has not confirmed that the deposit is there. Look at the lines RETURN_DROPPED, RETURN_HINDERED and RETURN_WAITS in the log of send-returns, and at npm run ops -- returns.',
      runbook: 'money-waits-for-a-person',
      metric: send.log
        .count('Stopped', {
          lines: linesWithCode('RETURN_DROPPED', 'RETURN_HINDERED', 'RETURN_WAITS'),
          metricName: 'returns stopped',
        })
        .metric({ period: Duration.hours(1), statistic: 'Sum' }),
    });
    // Each return without an answer is polled once a minute.
    new FailureAlarm(this, 'Unanswered', {
      description:
        'Deposits whose return is approved are not sent back: in ten of fifteen minutes their custodian did not answer, or the settings do not have it any more. Look at the lines CUSTODIAN_UNAVAILABLE in the log of send-returns: cause has its answer.',
      runbook: 'the-custodian-does-not-answer',
      metric: send.log
        .count('Unanswered', { lines: linesWithCode('CUSTODIAN_UNAVAILABLE'), metricName: 'returns unanswered' })
        .metric({ period: Duration.minutes(1), statistic: 'Sum' }),
      periods: { failing: 10, of: 15 },
      callsPeople: true,
    });
    new ScheduledFunction(send, 'Sends deposits back, and looks up the outcome.');
  }
}
