import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { timeZoneEnvironment } from '#infra/platform/operator-route.ts';
import { allowAskingRails } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWithCode } from '#infra/platform/service-log.ts';
import { bankRailOf } from '#shared/pay-ins/payment-methods.ts';

/** Looks pay-ins up at the rail: orders with an unknown outcome, and payments whose notification never came. */
export class PayinSettlement extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, keys: Keys) {
    super(scope, id);
    const settle = new ServiceFunction(this, context, {
      folder: 'pay-ins/settle-open-payins',
      movesMoney: true,
      tables: {
        payins: ['GetItem', 'Query:due', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        clients: ['Query:byName'],
      },
      memoryMegabytes: 768,
      timeoutSeconds: 55,
      impact:
        'Pay-ins whose notification was lost stay open although they were paid, or one was paid with another amount.',
    });
    allowAskingRails(settle, context.stage, keys, 'find');
    new ScheduledFunction(settle, 'Polls the rail for open pay-ins.');
    this.#alarmOnSilence(settle);
    const reconcile = new ServiceFunction(this, context, {
      folder: 'pay-ins/reconcile-payments',
      movesMoney: true,
      tables: { payins: ['GetItem', 'BatchGetItem', 'UpdateItem'] },
      memoryMegabytes: 256,
      timeoutSeconds: 55,
      impact: 'Pay-ins whose money the rail took back long after, without a notification, still count as paid.',
    });
    allowAskingRails(reconcile, context.stage, keys, 'listPayments');
    new ScheduledFunction(reconcile, "Reads each rail's list of payments, to its end once a day.");
    this.#balance(context, keys);
    if (bankRailOf(context.stage.rails)?.members.listBanks !== undefined) this.#refreshBanks(context, keys);
  }

  #balance(context: FunctionContext, keys: Keys): void {
    const balance = new ServiceFunction(this, context, {
      folder: 'pay-ins/balance-payments',
      movesMoney: true,
      runbook: 'the-books-do-not-balance',
      tables: { books: ['GetItem', 'Query', 'PutItem', 'UpdateItem'], payins: ['BatchGetItem'] },
      memoryMegabytes: 512,
      timeoutSeconds: 55,
      impact: 'Payments of pay-ins may be missing: the books of a rail do not balance, or are not kept.',
    });
    allowAskingRails(balance, context.stage, keys, 'listPayments');
    balance.setting('TIME_ZONE', timeZoneEnvironment(context.stage).TIME_ZONE);
    new ScheduledFunction(balance, 'Keeps the books of the rails, each night.');
  }

  /** Keeps the list of banks the same as the rail's (decisions.md 6). */
  #refreshBanks(context: FunctionContext, keys: Keys): void {
    const refresh = new ServiceFunction(this, context, {
      folder: 'pay-ins/refresh-banks',
      tables: { parameters: ['GetItem', 'Query', 'UpdateItem'] },
      memoryMegabytes: 512,
      timeoutSeconds: 55,
      impact: 'The list of banks is out of date: pay-ins of new banks are refused, and those of closed ones fail.',
    });
    allowAskingRails(refresh, context.stage, keys, 'listBanks');
    new ScheduledFunction(refresh, "Reads the rail's list of banks once a day.");
  }

  /** A single look-up without an answer is repeated; a rail that answers few look-ups or none is down. */
  #alarmOnSilence({ log }: ServiceFunction): void {
    const inTenMinutes = { period: Duration.minutes(10), statistic: 'Sum' } as const;
    const silences = log
      .count('RailUnavailable', {
        lines: linesWithCode('RAIL_UNAVAILABLE'),
        metricName: 'rail unavailable',
        countsZeros: true,
      })
      .metric(inTenMinutes);
    const polls = log.count('Polled', {
      lines: linesWithCode('CALL_DONE'),
      metricName: 'pay-ins polled',
      amount: '$.message.polled',
      countsZeros: true,
    });
    const impact =
      'Pay-ins whose notification was lost stay open while the rail does not answer, and clients may get no new ones.';
    const where =
      "Look at the lines RAIL_UNAVAILABLE in the log of settle-open-payins: cause has the rail's answer, or the time-out.";
    new FailureAlarm(this, 'AnswersNothing', {
      description: `${impact} In ten minutes at least half of the look-ups, and at least three, had no answer. ${where}`,
      runbook: 'the-rail-does-not-answer',
      metric: new MathExpression({
        // The function runs every minute, with and without work, so the share is that of its polls, not of its calls.
        expression: '(failed >= 3) AND (2 * failed >= polled)',
        usingMetrics: { failed: silences, polled: polls.metric(inTenMinutes) },
        period: Duration.minutes(10),
        label: 'half or more of the look-ups fail',
      }),
      callsPeople: true,
    });
    new FailureAlarm(this, 'Unavailable', {
      description: `${impact} Ten look-ups in ten minutes had no answer. ${where}`,
      runbook: 'the-rail-does-not-answer',
      metric: silences,
      threshold: 10,
      callsPeople: true,
    });
    const unnoticed = log.count('NotNotified', {
      lines: linesWithCode('PAID_WITHOUT_NOTIFICATION'),
      metricName: 'paid without notification',
    });
    new FailureAlarm(this, 'NotNotified', {
      description:
        'Payments of pay-ins are noticed late: a rail did not notify three of them within an hour. Look at the lines PAID_WITHOUT_NOTIFICATION in the log of settle-open-payins, which name the rail, and at the access log of the API of providers.',
      runbook: 'notifications-do-not-arrive',
      metric: unnoticed.metric({ period: Duration.hours(1), statistic: 'Sum' }),
      threshold: 3,
    });
  }
}
