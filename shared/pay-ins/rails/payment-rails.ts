import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { keysOf } from '#shared/platform/collections.ts';
import { setting } from '#shared/platform/environment.ts';
import type { PaymentRail } from './payment-rail.ts';
import { createSimulatedRail } from './simulated/simulated-rail.ts';

/** Makes the adapter of each name; what functions are given to ask it, its folder says for the stage that names it. */
export const paymentRails = {
  simulated: createSimulatedRail,
} as const satisfies Readonly<Record<string, (clock: Clock) => PaymentRail>>;

export type PaymentRailName = keyof typeof paymentRails;

/** The payment rail of the stage. What a function does not ask of it needs no settings. */
export function paymentRailSetting(clock: Clock): PaymentRail {
  return paymentRails[z.parse(z.enum(keysOf(paymentRails)), setting('PAYMENT_RAIL'))](clock);
}
