import { delivery } from './delivery.ts';
import type { Deliveries, DeliveryLog } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';

/** The delivery with an id that a client gave, if it is one of the webhook's. */
export async function deliveryOfWebhook(
  deliveries: Pick<Deliveries, 'find'>,
  { webhookId }: Webhook,
  givenId: string,
  now: Date,
): Promise<DeliveryLog | undefined> {
  const id = delivery.shape.deliveryId.safeParse(givenId);
  const found = id.success ? await deliveries.find(id.data, now) : undefined;
  return found?.delivery.webhookId === webhookId ? found : undefined;
}
