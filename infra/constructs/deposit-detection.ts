import { Duration, Validations } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { FailureAlarm } from './failure-alarm.ts';
import { type FunctionSurroundings, ServiceFunction } from './service-function.ts';

/** Deposits that the custodian tells us of: queued, and brought to the operation that awaits them. */
export class DepositDetection extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, surroundings: FunctionSurroundings) {
    super(scope, id);
    const undeliverable = this.#newQueue('Unhandled', surroundings.stage);
    this.queue = this.#newQueue('NotifiedTransfers', surroundings.stage, {
      visibilityTimeout: Duration.seconds(180),
      deadLetterQueue: { queue: undeliverable, maxReceiveCount: 20 },
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
    })
      .setting('NETWORK_RULES', JSON.stringify(surroundings.stage.networkRules))
      .setting('NOTIFIED_TRANSFERS_QUEUE', this.queue.queueUrl)
      .grant(['sqs:SendMessage'], [this.queue.queueArn]);
    matchDeposit.lambda.addEventSource(new SqsEventSource(this.queue, { batchSize: 5, reportBatchItemFailures: true }));
    new FailureAlarm(this, 'UnhandledTransfers', {
      description:
        'A notified deposit could not be handled in 20 tries and is not credited. Look at the dead-letter queue, mend the cause, and move its messages back.',
      metric: undeliverable.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
    });
  }

  /** Keeps messages for as long as SQS can. */
  #newQueue(id: string, stage: Stage, props: QueueProps = {}): Queue {
    const isLocal = stage.name === 'local';
    const queue = new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      retentionPeriod: Duration.days(14),
      enforceSSL: !isLocal,
      ...props,
    });
    if (isLocal) {
      const reason = 'The local AWS speaks plain HTTP on the loopback interface.';
      Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS4', reason });
    }
    return queue;
  }
}
