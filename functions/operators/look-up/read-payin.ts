import type { ListEventsAbout } from '#shared/events/subject-events.ts';
import { lookedUpDelivery } from '#shared/operators/event-lookup.ts';
import type { readPayin as contract } from '#shared/operators/pay-in-lookup.ts';
import type { FindPolledPayin } from '#shared/pay-ins/polled-pay-in.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListDeliveriesOf } from '#shared/webhooks/event-deliveries.ts';
import { describeEvent } from './describe-event.ts';
import { payinNextStep } from './pay-in-next-step.ts';

interface Dependencies {
  readonly findPayin: FindPolledPayin;
  readonly listEventsAbout: ListEventsAbout;
  readonly listDeliveriesOf: ListDeliveriesOf;
}

export function readPayin({ findPayin, listEventsAbout, listDeliveriesOf }: Dependencies): UseCase<typeof contract> {
  return async ({ query }) => {
    const { payin: payinId } = query();
    const payin = await findPayin(payinId);
    if (payin === undefined) throw new ApiError('PAYIN_NOT_FOUND', { detail: 'There is no pay-in with this id.' });
    const { clientId, userId } = payin;
    const events = await listEventsAbout(payinId);
    const deliveries = await listDeliveriesOf(
      clientId,
      events.map(({ eventId }) => eventId),
    );
    return {
      body: {
        ...payin,
        next: payinNextStep(payin),
        statusHistory: [...payin.statusHistory],
        events: events.map(describeEvent),
        deliveries: deliveries.map((one) => lookedUpDelivery.parse(one)),
      },
      ids: { payinId, clientId, userId },
    };
  };
}
