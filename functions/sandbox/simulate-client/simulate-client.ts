import { CLIENT_STATUS } from '#shared/contracts/incoming-client-status.ts';
import { COMPLIANCE } from '#shared/contracts/incoming-events.ts';
import type { simulateClient as contract } from '#shared/contracts/simulate-client.ts';
import { invalid, Refusal } from '#shared/domain/refusal.ts';
import type { EventBus } from '#shared/eventbridge/event-bus.ts';
import type { UseCase } from '#shared/http/use-case.ts';

/** Sends what compliance would send, of nobody but the client that calls. */
export function simulateClient(bus: EventBus): UseCase<typeof contract> {
  return async ({ clientId, body }) => {
    const { complianceStatus, status } = body();
    if (complianceStatus === undefined && status === undefined) {
      throw invalid({ path: 'body', code: 'REQUIRED', message: 'must have complianceStatus, status or both' });
    }
    const detail = { clientId, complianceStatus, status };
    const notTaken = await bus.put([{ source: COMPLIANCE, type: CLIENT_STATUS, detail }]);
    if (notTaken.length > 0) throw new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    return { body: { id: clientId, complianceStatus, status } };
  };
}
