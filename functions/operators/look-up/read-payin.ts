import type * as z from 'zod/mini';
import { eventSubject } from '#shared/events/service-event.ts';
import type { readPayinContract, referencedPayin } from '#shared/operators/lookups.ts';
import { noPayin } from '#shared/pay-ins/no-pay-in.ts';
import { payinNextStep } from '#shared/pay-ins/pay-in-next-step.ts';
import type { FindPolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { id } from '#shared/platform/http/fields.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import { type EventsAndDeliveriesDependencies, listEventsAndDeliveries } from './events-and-deliveries.ts';
import { withLateEvent } from './late-event.ts';

interface Dependencies extends EventsAndDeliveriesDependencies {
  readonly findPayin: FindPolledPayin;
  readonly listByReference: (reference: string) => Promise<z.infer<typeof referencedPayin>[]>;
  readonly listChanges: ListChanges;
  readonly listOpenProposals: ListOpenProposals;
  readonly clock: Clock;
}

export function readPayin(deps: Dependencies): UseCase<typeof readPayinContract> {
  /** Any text may be a reference. */
  async function find(text: string) {
    const asId = id.safeParse(text).data;
    const byId = asId === undefined ? undefined : await deps.findPayin(asId);
    if (byId !== undefined) return byId;
    const [newest] = await deps.listByReference(text);
    return newest && (await deps.findPayin(newest.payinId));
  }

  return async ({ query }) => {
    const { payin: text } = query();
    const payin = await find(text);
    if (payin === undefined) throw noPayin();
    const { payinId, clientId, userId, externalReference } = payin;
    const referenced = externalReference === undefined ? [] : await deps.listByReference(externalReference);
    const others = referenced.filter((one) => one.payinId !== payinId);
    const now = deps.clock.now();
    const [eventsAndDeliveries, changes, proposals] = await Promise.all([
      listEventsAndDeliveries(deps, eventSubject('payin', payinId), clientId),
      deps.listChanges(payinId),
      deps.listOpenProposals(),
    ]);
    return {
      body: {
        ...payin,
        next: withLateEvent(payinNextStep(payin, proposals, now), eventsAndDeliveries.events, now),
        ...(others.length > 0 && { othersOfReference: others }),
        statusHistory: [...payin.statusHistory],
        ...eventsAndDeliveries,
        changes,
      },
      ids: { payinId, clientId, userId },
    };
  };
}
