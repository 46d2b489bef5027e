import { Construct } from 'constructs';
import type { ServiceBus } from '#infra/events/event-bus.ts';
import { alarmOnMessages } from '#infra/platform/message-alarms.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWithCode } from '#infra/platform/service-log.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { CLIENT_STATUS } from '#shared/clients/incoming-client-status.ts';
import { COMPLIANCE } from '#shared/events/incoming-events.ts';

/** Compliance approves clients, or no longer does, by events on the bus. */
export class ClientStatusChanges extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, bus: ServiceBus) {
    super(scope, id);
    const results = new WorkQueue(this, 'Results', {
      stage: context.stage,
      visibilitySeconds: 90,
      maxReceives: 30,
      impact: 'A suspended client goes on, or an approved one waits.',
    });
    bus.queueEvents(results, 'ClientStatus', {
      description: 'Compliance approves clients, or withdraws their approval.',
      eventPattern: { source: [COMPLIANCE], detailType: [CLIENT_STATUS] },
      // EventBridge's own time: the sender writes the time of the event, and a message gets a new time when it is moved
      // back.
      input: { template: '{"ingestedAt":"<aws.events.event.ingestion-time>","event":<aws.events.event.json>}' },
    });
    const apply = new ServiceFunction(this, context, {
      folder: 'clients/apply-client-status',
      // A client that is suspended late can go on moving money.
      movesMoney: true,
      tables: { clients: ['GetItem', 'UpdateItem'], events: ['PutItem', 'Query'] },
      memoryMegabytes: 256,
      timeoutSeconds: 15,
      impact: 'Approvals and suspensions that compliance sends are not applied to clients.',
    });
    results.consumedBy(apply, { batchSize: 10, maxConcurrency: context.stage.consumersPerQueue });
    alarmOnMessages(apply, { codes: ['MESSAGE_FAILED'], most: 10 });
    apply.log.alarm(
      'Ignored',
      { lines: linesWithCode('APPROVAL_IGNORED'), metricName: 'approvals ignored' },
      {
        description:
          'A client was approved, but stays as it is: the approval is not newer than the result that withheld it. Look at the log of clients/apply-client-status for APPROVAL_IGNORED, which names the client and both events.',
        runbook: 'an-approval-is-ignored',
      },
    );
  }
}
