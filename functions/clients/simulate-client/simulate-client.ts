import type { simulateClientContract } from '#shared/clients/client-sandbox-contract.ts';
import { CLIENT_STATUS } from '#shared/clients/incoming-client-status.ts';
import { COMPLIANCE } from '#shared/events/incoming-events.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { putEvent } from '#shared/platform/http/put-event.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

/** Sends the event of compliance, for the calling client only. */
export function simulateClient(bus: EventBus, newId: () => string): UseCase<typeof simulateClientContract> {
  return async ({ clientId, body }) => {
    const { complianceStatus, status } = body();
    if (complianceStatus === undefined && status === undefined) {
      throw invalid({ path: 'body', code: 'REQUIRED', message: 'must have complianceStatus, status or both' });
    }
    const detail = { clientId, eventId: newId(), complianceStatus, status };
    await putEvent(bus, { source: COMPLIANCE, type: CLIENT_STATUS, detail });
    return { body: { id: clientId, complianceStatus, status } };
  };
}
