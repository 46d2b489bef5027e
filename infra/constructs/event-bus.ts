import { EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import type { ServiceFunction } from './service-function.ts';
import type { WorkQueue } from './work-queue.ts';

/** What happens here is told on it, and other services tell it what happened there. */
export class ServiceBus extends EventBus {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      // Other services name it.
      eventBusName: `${stage.name}-payin-offramp`,
      description: `Status changes of pay-ins, off-ramps and clients, ${stage.name}`,
    });
  }

  /** Queues every event that fits; one that the queue does not take within a day is put with its dead letters. */
  queueEvents(to: WorkQueue, id: string, rule: { description: string; eventPattern: EventPattern }): void {
    new Rule(to, id, {
      ...rule,
      eventBus: this,
      targets: [new SqsQueue(to.queue, { deadLetterQueue: to.deadLetters })],
    });
  }

  /** The function may put events on this bus and no other. */
  allowPutting(fn: ServiceFunction): ServiceFunction {
    return fn.setting('EVENT_BUS_NAME', this.eventBusName).grant(['events:PutEvents'], [this.eventBusArn]);
  }
}
