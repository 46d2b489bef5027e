import * as z from 'zod/mini';
import { documentEvent, event } from '#shared/events/event-envelope.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { payin } from './pay-in.ts';

const { status, sequence } = payin.shape;

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
  status: 'The new status.',
  previousStatus: 'The previous status; null when the pay-in was created.',
  sequence:
    'Grows with every change of the pay-in. An event with a smaller sequence than a known one of its type is out of date.',
});

/** The rail has taken back money of a pay-in that is completed, or has it again (`reversedAt` is null). */
export const payinReversed = event(
  'ramp.payin.reversed',
  z.object({
    payinId: id,
    userId: id,
    status: z.literal('COMPLETED'),
    previousStatus: z.literal('COMPLETED'),
    sequence,
    reversedAt: z.nullable(instant),
    remainingAmount: z.number(),
  }),
);

documentEvent(
  'PayinReversed',
  payinReversed,
  'Money of a completed pay-in was taken back at the rail, in whole or in part, or is there again.',
  {
    payinId: 'The pay-in.',
    userId: 'The user that it belongs to.',
    status: 'It stays `COMPLETED`.',
    previousStatus: 'It was `COMPLETED`.',
    sequence:
      'Grows with every change of the pay-in. An event with a smaller sequence than a known one of its type is out of date.',
    reversedAt: 'Since when the rail has less than was ordered; null when all of it is there again.',
    remainingAmount: {
      description: "The part of the pay-in's amount that is still there, in its currency: 0 when all of it is gone.",
      format: 'double',
    },
  },
);
