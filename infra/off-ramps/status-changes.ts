import { Construct } from 'constructs';
import type { ServiceBus } from '#infra/events/event-bus.ts';
import { alarmOnMessages } from '#infra/platform/message-alarms.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { OPERATION_STATUS, PAYOUT_RETURNED } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';

/** Applies events of payouts and compliance on the bus, which end operations. */
export class StatusChanges extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, bus: ServiceBus) {
    super(scope, id);
    // The id must stay: under another id this would be another queue, and the messages in this one would be lost.
    const incoming = new WorkQueue(this, 'Told', {
      stage: context.stage,
      visibilitySeconds: 90,
      // An event that comes too early is received again for half an hour, and kept by the next receive.
      maxReceives: 30,
      impact: 'Clients see an old status of an off-ramp.',
    });
    bus.queueEvents(incoming, 'OperationStatus', {
      description: 'Payouts and compliance end operations.',
      eventPattern: { source: [COMPLIANCE, PAYOUTS], detailType: [OPERATION_STATUS] },
    });
    bus.queueEvents(incoming, 'PayoutReturned', {
      description:
        'A payout came back. From any other source than payouts it is refused with an alarm, which a rule could not raise.',
      eventPattern: { source: [COMPLIANCE, PAYOUTS], detailType: [PAYOUT_RETURNED] },
    });
    const apply = new ServiceFunction(this, context, {
      folder: 'off-ramps/apply-status-change',
      hasVersions: true,
      movesMoney: true,
      tables: {
        operations: ['GetItem', 'UpdateItem', 'ConditionCheckItem'],
        hashes: ['GetItem', 'DeleteItem'],
        deposits: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query:byOperation'],
        events: ['PutItem', 'Query'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 15,
      impact: 'Status changes that payouts or compliance send are not applied to off-ramps.',
    });
    incoming.consumedBy(apply, { batchSize: 10, maxConcurrency: context.stage.consumersPerQueue });
    alarmOnMessages(apply, { codes: ['MESSAGE_FAILED'], most: 10 });
  }
}
