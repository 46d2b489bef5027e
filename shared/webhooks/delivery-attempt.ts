import * as z from 'zod/mini';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { instant } from '#shared/platform/http/fields.ts';

/** What asked for an attempt: the event itself, or a request of the client. */
export const deliveryTrigger = z.enum(['SCHEDULED', 'MANUAL', 'REPLAY']);

documentValues('DeliveryTrigger', deliveryTrigger, 'What an attempt was made for.', {
  SCHEDULED: 'The event itself, or a retry.',
  MANUAL: 'The client asked to resend the delivery.',
  REPLAY: 'The client asked for a replay.',
});

export type DeliveryTrigger = z.infer<typeof deliveryTrigger>;

/** Why a call got no answer: the phase in which it failed, or the guard of targets. */
export const callError = z.enum(['DNS', 'CONNECT', 'TLS', 'TIMEOUT', 'BLOCKED']);

documentValues('CallError', callError, 'Why a call got no answer.', {
  DNS: 'The name could not be resolved.',
  CONNECT: 'No connection could be made, or it broke.',
  TLS: 'The certificate was not accepted, or no secure connection could be agreed on.',
  TIMEOUT: 'The endpoint did not answer in time.',
  BLOCKED: 'The address is one that no webhook may point to.',
});

export type CallError = z.infer<typeof callError>;

/** One call of an endpoint, as it is kept and as its client sees it: a status, or else an error. */
export const deliveryAttempt = z.object({
  /** When it began; the receiver gets the same instant as `webhook-timestamp`. */
  at: instant,
  trigger: deliveryTrigger,
  statusCode: z.optional(z.int()),
  error: z.optional(callError),
  durationMs: z.int(),
});

export type DeliveryAttempt = Readonly<z.infer<typeof deliveryAttempt>>;

documentObject('DeliveryAttempt', deliveryAttempt, 'One call of the endpoint.', {
  at: 'When the call began.',
  trigger: 'What the attempt was made for.',
  statusCode: {
    description: 'The HTTP status that the endpoint answered. Absent when there was no answer.',
    minimum: 100,
    maximum: 999,
  },
  error: 'Why there was no answer. Absent when there was one.',
  durationMs: { description: 'How long the call took, in milliseconds.', minimum: 0 },
});
