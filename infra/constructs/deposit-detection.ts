import { Construct } from 'constructs';
import { type FunctionSurroundings, ServiceFunction } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

/** Deposits that the custodian tells us of: queued, and brought to the operation that awaits them. */
export class DepositDetection extends Construct {
  readonly #notified: WorkQueue;

  constructor(scope: Construct, id: string, surroundings: FunctionSurroundings) {
    super(scope, id);
    this.#notified = new WorkQueue(this, 'NotifiedTransfers', {
      stage: surroundings.stage,
      visibilitySeconds: 180,
      maxReceives: 20,
      clientsLose: 'A notified deposit could not be handled in 20 tries and is not credited.',
    });
    const matchDeposit = new ServiceFunction(this, surroundings, {
      folder: 'verification/match-deposit',
      tables: {
        operations: ['GetItem', 'Query', 'Query:awaiting', 'UpdateItem'],
        events: ['PutItem'],
        hashes: ['GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
        deposits: ['GetItem', 'UpdateItem'],
        simulatedTransactions: ['GetItem'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 30,
      clientsLose: 'Deposits without a reported hash are not credited, or one arrived that matches no operation.',
      goesOnByItself: true,
    }).setting('NETWORK_RULES', JSON.stringify(surroundings.stage.networkRules));
    this.allowQueueing(matchDeposit);
    this.#notified.consumedBy(matchDeposit, { batchSize: 5, maxConcurrency: surroundings.stage.consumersPerQueue });
  }

  /** A function may queue transfers that have to meet their operation. */
  allowQueueing(fn: ServiceFunction): ServiceFunction {
    return this.#notified.allowSending(fn, 'NOTIFIED_TRANSFERS_QUEUE');
  }
}
