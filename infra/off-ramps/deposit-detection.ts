import { Construct } from 'constructs';
import { readDepositTerms } from '#infra/parameters/read-parameter-lists.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { alarmOnMessages } from '#infra/platform/message-alarms.ts';
import { timeZoneEnvironment } from '#infra/platform/operator-route.ts';
import { allowAskingCustodians } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { DepositReturns } from './deposit-returns.ts';
import { restoredEnvironment } from './return-environment.ts';

/**
 * Matches deposits that the custodian notifies, or that are found by their hash, with the operation that awaits them,
 * or sends them back.
 */
export class DepositDetection extends Construct {
  readonly matchDeposit: ServiceFunction;
  readonly reconcileCustodian: ServiceFunction;
  readonly #notified: WorkQueue;

  constructor(scope: Construct, id: string, context: FunctionContext, keys: Keys) {
    super(scope, id);
    this.#notified = new WorkQueue(this, 'NotifiedTransfers', {
      stage: context.stage,
      visibilitySeconds: 180,
      // The table has all polls that are due, and the sweep finds them there.
      maxReceives: 5,
      impact: 'A notified deposit is credited late: the sweep sends its message again.',
      isRedoneBySweep: true,
    });
    this.matchDeposit = this.#match(context, keys);
    this.#sweep(context);
    this.reconcileCustodian = this.#reconcile(context, keys);
    new DepositReturns(this, 'Returns', context, keys);
    this.#balance(context, keys);
  }

  /** Lets a function queue transfers that are to be matched with their operation. */
  allowQueueing(fn: ServiceFunction): ServiceFunction {
    return this.#notified.allowSending(fn, 'NOTIFIED_TRANSFERS_QUEUE');
  }

  #match(context: FunctionContext, keys: Keys): ServiceFunction {
    const { minimumDeposits, decimals } = readDepositTerms(context.stage.name, context.stage.settings);
    const matchDeposit = new ServiceFunction(this, context, {
      folder: 'off-ramps/match-deposit',
      concurrencyGroup: 'matchDeposit',
      hasVersions: true,
      movesMoney: true,
      tables: {
        operations: ['GetItem', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        hashes: ['GetItem', 'PutItem', 'DeleteItem'],
        deposits: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query:byOperation'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 30,
      impact:
        'Deposits without a reported hash are not credited, or a deposit matches no operation, or a credited one was taken back.',
      // To wait for up to 15 minutes, the function sends a message to its own queue.
      allowRecursion: true,
      counted: { code: 'TRANSFER_LEFT_OUT', metricName: 'transfers left out', by: { Why: '$.message.why' } },
    })
      .setting('NETWORK_RULES', JSON.stringify(context.stage.networkRules))
      .setting('MINIMUM_DEPOSITS', JSON.stringify(minimumDeposits))
      .setting('TOKEN_DECIMALS', JSON.stringify(decimals));
    for (const [name, value] of Object.entries(restoredEnvironment(context.stage))) matchDeposit.setting(name, value);
    allowAskingCustodians(matchDeposit, context.stage, keys, 'findTransfers', 'findTransfer');
    this.allowQueueing(matchDeposit);
    // One at a time: a deposit that stops the function must not hold up others of the same batch.
    this.#notified.consumedBy(matchDeposit, { batchSize: 1, maxConcurrency: context.stage.consumersPerQueue });
    alarmOnMessages(matchDeposit, { codes: ['MESSAGE_FAILED', 'DEPOSIT_NOT_POLLED'], most: 10 });
    return matchDeposit;
  }

  #sweep(context: FunctionContext): void {
    const release = new ServiceFunction(this, context, {
      folder: 'off-ramps/release-due-deposits',
      movesMoney: true,
      tables: { deposits: ['Query:due', 'UpdateItem'], clients: ['Query:byName'] },
      // A whole processor: after an outage of the queue it hands out all polls (docs/scale.md).
      memoryMegabytes: 1769,
      timeoutSeconds: 55,
      impact:
        'Deposits that become final more than a minute after their notification, or whose message was lost, are not credited.',
    });
    this.allowQueueing(release);
    new ScheduledFunction(release, 'Queues deposits with a due poll.');
  }

  #reconcile(context: FunctionContext, keys: Keys): ServiceFunction {
    const { dustBelow } = readDepositTerms(context.stage.name, context.stage.settings);
    const reconcile = new ServiceFunction(this, context, {
      folder: 'off-ramps/reconcile-custodian',
      movesMoney: true,
      tables: { deposits: ['GetItem', 'PutItem', 'UpdateItem'] },
      // Networks that lag are read at the same time, with up to 16 MB of logs of each node: seven take 630 MB.
      memoryMegabytes: 1024,
      timeoutSeconds: 55,
      impact: 'Deposits that a custodian does not notify, and whose hash nobody reports, are not found.',
    }).setting('DUST_BELOW', JSON.stringify(dustBelow));
    allowAskingCustodians(reconcile, context.stage, keys, 'listTransfers', 'scanTransfers');
    this.allowQueueing(reconcile);
    new ScheduledFunction(reconcile, "Reads the custodians' lists of transfers each hour, and chains each minute.");
    return reconcile;
  }

  #balance(context: FunctionContext, keys: Keys): void {
    const balance = new ServiceFunction(this, context, {
      folder: 'off-ramps/balance-deposits',
      movesMoney: true,
      runbook: 'the-books-do-not-balance',
      tables: {
        books: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
        deposits: ['Query:byDay', 'Query:returns', 'BatchGetItem', 'UpdateItem'],
        hashes: ['BatchGetItem'],
      },
      // Room for some thousand movements at a time.
      memoryMegabytes: 1024,
      timeoutSeconds: 55,
      impact:
        'Deposits may be missing, or their money sent by somebody else: the books of a custodian do not balance, or are not kept.',
    });
    allowAskingCustodians(balance, context.stage, keys, 'listMovements', 'readBalances');
    this.allowQueueing(balance);
    balance
      .setting('TIME_ZONE', timeZoneEnvironment(context.stage).TIME_ZONE)
      .setting('RETURNS', JSON.stringify(context.stage.returns));
    new ScheduledFunction(balance, 'Keeps the books of the custodians, each night.');
  }
}
