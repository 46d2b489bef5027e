import * as z from 'zod/mini';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import { OPERATION_STATUS, simulatedPayout } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import type { HeldPayouts } from '#shared/off-ramps/store/held-payouts.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import { id } from '#shared/platform/http/fields.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly payouts: Pick<HeldPayouts, 'isHeld'>;
  readonly bus: EventBus;
}

/** An event of this service as EventBridge delivers it. */
const operationVerified = z.object({ detail: z.object({ operationId: id }) });

/** Sends the event of a payout, unless the operation has ended or the sandbox holds its payout. */
export function simulatePayout({ operations, payouts, bus }: Dependencies) {
  return async (message: string): Promise<void> => {
    const { operationId } = operationVerified.parse(JSON.parse(message)).detail;
    const operation = await operations.find(operationId);
    if (operation?.status !== 'PENDING') return log.info('PAYOUT_NOT_DUE', { operationId, status: operation?.status });
    if (await payouts.isHeld(operationId)) return log.info('PAYOUT_HELD', { operationId });
    const detail = {
      operationId,
      eventId: `payout-${operationId}`,
      status: 'COMPLETED',
      payout: simulatedPayout(operation),
    };
    const notTaken = await bus.put([{ source: PAYOUTS, type: OPERATION_STATUS, detail }]);
    if (notTaken.length > 0) throw new Error(`The bus did not accept the payout of ${operationId}.`);
  };
}
