import { Construct } from 'constructs';
import type { ServiceBus } from '#infra/events/event-bus.ts';
import { alarmOnMessages } from '#infra/platform/message-alarms.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import { OWN_SOURCE } from '#shared/events/notified-events.ts';
import { OPERATION_STATUS_CHANGED } from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { OperationStatus } from '#shared/off-ramps/model/off-ramp.ts';

const VERIFIED: OperationStatus = 'PENDING';

/** Completes a verified operation after a few seconds where no payouts exist, so that its whole life can be watched. */
export class SimulatedPayouts extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, bus: ServiceBus) {
    super(scope, id);
    const verified = new WorkQueue(this, 'Verified', {
      stage: context.stage,
      visibilitySeconds: 60,
      maxReceives: 10,
      deliveryDelaySeconds: context.stage.simulatedPayoutSeconds,
      impact: 'Developers see a verified off-ramp that is never completed.',
    });
    bus.queueEvents(verified, 'OperationVerified', {
      description: 'Operations whose deposit is verified.',
      eventPattern: {
        source: [OWN_SOURCE],
        detailType: [OPERATION_STATUS_CHANGED],
        detail: { status: [VERIFIED] },
      },
    });
    const complete = new ServiceFunction(this, context, {
      folder: 'off-ramps/simulate-payout',
      tables: { operations: ['GetItem'], simulatedPayments: ['GetItem'] },
      memoryMegabytes: 256,
      timeoutSeconds: 10,
      impact: 'Developers of clients see verified off-ramps that are not completed.',
    });
    verified.consumedBy(bus.allowPutting(complete, PAYOUTS), {
      batchSize: 10,
      maxConcurrency: context.stage.consumersPerQueue,
    });
    alarmOnMessages(complete, { codes: ['MESSAGE_FAILED'] });
  }
}
