import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '#infra/stage/stages.ts';
import { DeadLetters, newQueue } from './dead-letters.ts';
import { FailureAlarm } from './failure-alarm.ts';
import type { ServiceFunction } from './service-function.ts';

interface WorkQueueProps {
  readonly stage: Stage;
  /** Visibility timeout in seconds: six times the time-out of its function. */
  readonly visibilitySeconds: number;
  /** Receives, after which a message goes to the dead letters. */
  readonly maxReceives: number;
  /** What clients lose by a message that could not be handled: the text of the alarm. */
  readonly impact: string;
  /** A sweep repeats the work of such a message, so the alarm pages nobody. */
  readonly isRedoneBySweep?: true;
  /** The delay of every message. */
  readonly deliveryDelaySeconds?: number;
}

/** Messages are delayed for up to 15 minutes, so one that has waited for half an hour is not being handled. */
const LONGEST_WAIT_SECONDS = 1800;

/** The lowest maximum of concurrent calls that SQS accepts. */
const LEAST_CONCURRENCY = 2;

/** Work for a function, retried until it is done or goes to the dead letters. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.deadLetters = new DeadLetters(this, 'DeadLetters', props).queue;
    this.queue = newQueue(this, 'Queue', props.stage, {
      visibilityTimeout: Duration.seconds(props.visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceives },
      ...(props.deliveryDelaySeconds !== undefined && { deliveryDelay: Duration.seconds(props.deliveryDelaySeconds) }),
    });
    new FailureAlarm(this, 'Waiting', {
      description: `${props.impact} Look at the function that takes messages from the queue: it is too slow, or not called.`,
      runbook: 'a-queue-waits',
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5) }),
      threshold: LONGEST_WAIT_SECONDS,
      callsPeople: true,
    });
  }

  /**
   * Calls the function with messages of the queue. It answers which messages of a batch have failed; only those are
   * delivered again. Without a maximum of its concurrent calls, a long queue would take the concurrency of the whole
   * account, also from functions that answer clients. A call that is refused because all that is reserved for the
   * function is busy counts as a receive, so the queue never asks for more.
   */
  consumedBy(fn: ServiceFunction, options: { batchSize: number; maxConcurrency: number }): void {
    const most = Math.min(options.maxConcurrency, fn.reservedConcurrency ?? options.maxConcurrency);
    const maxConcurrency = Math.max(LEAST_CONCURRENCY, most);
    fn.live.addEventSource(
      new SqsEventSource(this.queue, { ...options, maxConcurrency, reportBatchItemFailures: true }),
    );
  }

  /** Lets a function put messages into the queue. */
  allowSending(fn: ServiceFunction, setting: string): ServiceFunction {
    return fn.setting(setting, this.queue.queueUrl).grant(['sqs:SendMessage'], [this.queue.queueArn]);
  }
}
