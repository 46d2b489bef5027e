import { Construct } from 'constructs';
import type { ServiceBus } from '#infra/events/event-bus.ts';
import { alarmOnMessages } from '#infra/platform/message-alarms.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWith } from '#infra/platform/service-log.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { CLIENT_STATUS } from '#shared/clients/incoming-client-status.ts';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { OPERATION_STATUS, PAYOUT_RETURNED } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';

/** Payouts and compliance end operations, and compliance approves clients, by events on the bus. */
export class StatusChanges extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, bus: ServiceBus) {
    super(scope, id);
    // Under another id it would be another queue, and what waits in this one would be lost with it.
    const incoming = new WorkQueue(this, 'Told', {
      stage: context.stage,
      visibilitySeconds: 90,
      // What comes too early is tried for half an hour, and kept by the next try.
      maxReceives: 30,
      impact: 'Clients see an old status of an off-ramp, or of their approval: a change could not be applied.',
    });
    bus.queueEvents(incoming, 'OperationStatus', {
      description: 'Payouts and compliance end operations.',
      eventPattern: { source: [COMPLIANCE, PAYOUTS], detailType: [OPERATION_STATUS] },
    });
    bus.queueEvents(incoming, 'PayoutReturned', {
      description:
        'A payout came back. Of anybody but payouts it is refused with an alarm, which a rule could not raise.',
      eventPattern: { source: [COMPLIANCE, PAYOUTS], detailType: [PAYOUT_RETURNED] },
    });
    bus.queueEvents(incoming, 'ClientStatus', {
      description: 'Compliance approves clients, or no longer does.',
      eventPattern: { source: [COMPLIANCE], detailType: [CLIENT_STATUS] },
      // The time in the event is that of whoever put it there; that of its message begins anew when it is moved back.
      input: { template: '{"ingestedAt":"<aws.events.event.ingestion-time>","event":<aws.events.event.json>}' },
    });
    const apply = new ServiceFunction(this, context, {
      folder: 'off-ramps/apply-status-change',
      movesMoney: true,
      tables: {
        operations: ['GetItem', 'UpdateItem'],
        hashes: ['DeleteItem'],
        deposits: ['GetItem', 'PutItem', 'UpdateItem'],
        clients: ['GetItem', 'UpdateItem'],
        events: ['PutItem'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 15,
      impact: 'Status changes that payouts or compliance send are not applied to off-ramps and clients.',
    });
    incoming.consumedBy(apply, { batchSize: 10, maxConcurrency: context.stage.consumersPerQueue });
    alarmOnMessages(apply, { codes: ['MESSAGE_FAILED'], most: 10 });
    apply.log.alarm(
      'Ignored',
      { lines: linesWith('APPROVAL_IGNORED'), metricName: 'approvals ignored' },
      {
        description:
          'A client stays as it is although it was approved: the approval is older than what withheld it, or of the same second. Look at the log of off-ramps/apply-status-change for APPROVAL_IGNORED, which names the client and both events.',
        runbook: 'an-approval-is-ignored',
      },
    );
  }
}
