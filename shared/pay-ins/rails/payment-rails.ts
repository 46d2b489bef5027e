import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { keysOf } from '#shared/platform/collections.ts';
import { setting } from '#shared/platform/environment.ts';
import type { PaymentRail } from './payment-rail.ts';
import { createSimulatedRail } from './simulated/simulated-rail.ts';

/**
 * Creates the adapter of each name. The adapter's folder declares the settings and permissions of functions that use
 * it.
 */
export const paymentRails = {
  simulated: createSimulatedRail,
} as const satisfies Readonly<Record<string, (clock: Clock) => PaymentRail>>;

export type PaymentRailName = keyof typeof paymentRails;

/** The payment rail of the stage. A function needs settings only for the parts that it uses. */
export function paymentRailSetting(clock: Clock): PaymentRail {
  return paymentRails[z.parse(z.enum(keysOf(paymentRails)), setting('PAYMENT_RAIL'))](clock);
}
