import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '#infra/stage/stages.ts';
import { FailureAlarm } from './failure-alarm.ts';

interface DeadLettersProps {
  readonly stage: Stage;
  /** What clients lose by a dead letter: the text of the alarm. */
  readonly impact: string;
  /** Where to look, and what to do with the messages. */
  readonly remedy?: string;
  /** A sweep redoes the work of such a message, so its alarm pages nobody. */
  readonly isRedoneBySweep?: true;
}

const REMEDY = 'Look at the dead-letter queue, fix the cause, and move its messages back.';

/** A queue of messages that could not be handled, with an alarm. */
export class DeadLetters extends Construct {
  readonly queue: Queue;
  readonly impact: string;

  constructor(scope: Construct, id: string, { stage, impact, remedy = REMEDY, isRedoneBySweep }: DeadLettersProps) {
    super(scope, id);
    this.impact = impact;
    this.queue = newQueue(this, 'Queue', stage);
    new FailureAlarm(this, 'NotEmpty', {
      description: `${impact} ${remedy}`,
      runbook: 'dead-letters',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
      callsPeople: !isRedoneBySweep,
    });
  }
}

/** A queue of the service: encrypted, reached by TLS only, with the longest retention that SQS has. */
export function newQueue(scope: Construct, id: string, stage: Stage, props: QueueProps = {}): Queue {
  const isLocal = stage.name === 'local';
  const queue = new Queue(scope, id, {
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
