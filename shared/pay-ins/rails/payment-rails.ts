import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import type { PaymentRail } from './payment-rail.ts';
import { type PaymentRailName, paymentRailNames } from './payment-rail-name.ts';
import { createSimulatedRail } from './simulated/simulated-rail.ts';

/** Makes the adapter of each name. */
export const paymentRails: Readonly<Record<PaymentRailName, (clock: Clock) => PaymentRail>> = {
  simulated: createSimulatedRail,
};

/** The payment rail of the stage. What a function does not ask of it needs no settings. */
export function paymentRailSetting(clock: Clock): PaymentRail {
  return paymentRails[z.parse(z.enum(paymentRailNames), setting('PAYMENT_RAIL'))](clock);
}
