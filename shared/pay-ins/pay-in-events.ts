import * as z from 'zod/mini';
import { documentEvent } from '#shared/events/document-event.ts';
import { event, sequence } from '#shared/events/event-envelope.ts';
import { id } from '#shared/platform/http/fields.ts';
import { payin } from './pay-in.ts';

const { status } = payin.shape;

/** A pay-in was created (`previousStatus` is null), or its status changed. */
export const payinStatusChanged = event(
  'ramp.payin.status_changed',
  z.object({
    payinId: id,
    userId: id,
    status,
    previousStatus: z.nullable(status),
    sequence,
  }),
);

documentEvent('PayinStatusChanged', payinStatusChanged, 'A pay-in was created, or its status changed.', {
  payinId: 'The pay-in.',
  userId: 'The user that it belongs to.',
  status: 'The status that it came to.',
  previousStatus: 'The status before; null when the pay-in was created.',
  sequence: 'Grows with every change of the pay-in. An event with a smaller one than a known one is out of date.',
});
