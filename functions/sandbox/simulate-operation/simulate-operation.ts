import { COMPLIANCE, OPERATION_STATUS, PAYOUTS } from '#shared/contracts/incoming-events.ts';
import type { simulateOperation as contract } from '#shared/contracts/simulate-operation.ts';
import { mayEndAs } from '#shared/domain/operation.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import type { EventBus } from '#shared/eventbridge/event-bus.ts';
import type { UseCase } from '#shared/http/use-case.ts';

interface Dependencies {
  readonly operations: Pick<Operations, 'find'>;
  readonly bus: EventBus;
}

/** Sends what the other service would send. What would come to nothing there is refused here, where somebody sees it. */
export function simulateOperation({ operations, bus }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, body }) => {
    const operation = await operations.find(path.operation_id);
    if (operation?.clientId !== clientId) throw new Refusal('OFF_RAMP_NOT_FOUND');
    const { operationId } = operation;
    const { status, reason } = body();
    if (!mayEndAs(operation.status, status)) throw new Refusal('OPERATION_STATUS_CONFLICT');
    const source = status === 'CANCELLED' ? COMPLIANCE : PAYOUTS;
    const notTaken = await bus.put([{ source, type: OPERATION_STATUS, detail: { operationId, status, reason } }]);
    if (notTaken.length > 0) throw new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    return { body: { id: operationId, status } };
  };
}
