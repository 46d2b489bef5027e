import type { approveClientContract, suspendClientContract } from '#shared/clients/client-commands.ts';
import type { FindClient } from '#shared/clients/client-repository.ts';
import { CLIENT_STATUS } from '#shared/clients/incoming-client-status.ts';
import { noClient } from '#shared/clients/no-client.ts';
import { COMPLIANCE } from '#shared/events/incoming-events.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import { putEvent } from '#shared/platform/http/put-event.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly findClient: FindClient;
  readonly bus: EventBus;
  readonly newId: () => string;
}

/** Publishes the event that compliance would publish, so that every consumer sees the change. */
export function changeApproval(
  { findClient, bus, newId }: Dependencies,
  result: { readonly complianceStatus?: string; readonly status: string },
): Change<typeof approveClientContract | typeof suspendClientContract> {
  return async ({ clientId }) => {
    if ((await findClient(clientId)) === undefined) throw noClient();
    const eventId = newId();
    await putEvent(bus, { source: COMPLIANCE, type: CLIENT_STATUS, detail: { clientId, eventId, ...result } });
    return { body: { clientId, eventId }, ids: { clientId, eventId } };
  };
}
