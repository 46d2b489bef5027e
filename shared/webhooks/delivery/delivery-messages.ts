import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createSendMessage } from '#shared/platform/aws/messages.ts';
import { describe, log } from '#shared/platform/logger.ts';
import type { Delivery } from '#shared/webhooks/model/delivery.ts';

const deliveryMessage = z.object({
  deliveryId: z.string(),
  /** Number of the attempt, counted over all attempts of the delivery. */
  attempt: z.int(),
  clientId: z.string(),
  webhookId: z.string(),
  /** True if, when the message was sent, the client had no other webhook that this one could delay. */
  isOnly: z.optional(z.boolean()),
  /** Seconds for which it was delayed because no slot was free. */
  waited: z._default(z.int(), 0),
});

/** Requests a test of a paused webhook, to see whether its endpoint still fails. */
const probeMessage = z.object({ probe: z.literal(true), clientId: z.string(), webhookId: z.string() });

export type ProbeMessage = z.infer<typeof probeMessage>;

/** A hint that an attempt is due; the table decides. The message has neither the address nor the event. */
export type DeliveryMessage = z.infer<typeof deliveryMessage>;

export function parseDeliveryMessage(body: string): DeliveryMessage | ProbeMessage {
  return z.union([probeMessage, deliveryMessage]).parse(JSON.parse(body));
}

/** The message for the next attempt of a delivery. */
export function nextAttemptMessage({ deliveryId, clientId, webhookId, attempts }: Delivery): DeliveryMessage {
  return { deliveryId, clientId, webhookId, attempt: attempts.length + 1, waited: 0 };
}

/** @param delaySeconds the delay of the message, at most 900 */
export type SendDeliveryMessage = (message: DeliveryMessage, delaySeconds: number) => Promise<void>;

export type SendProbe = (message: ProbeMessage, delaySeconds: number) => Promise<void>;

/** Groups messages by client (SQS fair queues): if one client fills a queue, the messages of the others overtake. */
export function createSendDeliveryMessage(sqs: SQSClient, queueUrl: string): SendDeliveryMessage & SendProbe {
  const send = createSendMessage(sqs, queueUrl);
  return (message: DeliveryMessage | ProbeMessage, delaySeconds: number) =>
    send(message, message.clientId, delaySeconds);
}

/** Sends the message of a stored delivery. A failure is only logged: the sweep sends the message later. */
export async function sendHint(send: SendDeliveryMessage, delivery: Delivery, delaySeconds = 0): Promise<void> {
  try {
    await send(nextAttemptMessage(delivery), delaySeconds);
  } catch (error) {
    log.warn('DELIVERY_MESSAGE_NOT_SENT', { deliveryId: delivery.deliveryId, cause: describe(error) });
  }
}
