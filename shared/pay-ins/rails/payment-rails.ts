import * as z from 'zod/mini';
import { paymentMethod } from '#shared/pay-ins/payment-methods.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { keysOf, mapValues } from '#shared/platform/collections.ts';
import { setting } from '#shared/platform/environment.ts';
import type { CreateRailNotifications, RailAdapter, RailMethods } from './payment-rail.ts';
import { createSimulatedRailNotifications } from './simulated/rail-notifications.ts';
import { simulatedRailAdapter } from './simulated/simulated-rail.ts';
import { createWompiNotifications } from './wompi/wompi-notifications.ts';
import { wompiRailAdapter } from './wompi/wompi-rail.ts';

/** The adapter of each rail. Its folder declares the settings and permissions of functions that ask it. */
export const paymentRails = {
  simulated: simulatedRailAdapter,
  wompi: wompiRailAdapter,
} as const satisfies Readonly<Record<string, RailAdapter>>;

export type RailName = keyof typeof paymentRails;

/** What reads the notifications of each rail: apart from the adapters, so that only the function that receives them bundles it. */
const railNotifications: Readonly<Record<RailName, CreateRailNotifications>> = {
  simulated: createSimulatedRailNotifications,
  wompi: createWompiNotifications,
};

/** What each rail makes of each payment method. */
export const methodsOfRails: Readonly<Record<RailName, RailMethods>> = mapValues(paymentRails, (rail) => rail.methods);

const railOfMethods = z.partialRecord(paymentMethod, z.enum(keysOf(paymentRails)));

/** The rail that collects by each payment method at this stage; a method without one is not served. */
export function railOfMethodsSetting() {
  return railOfMethods.parse(JSON.parse(setting('PAYMENT_RAILS')));
}

/** These members of every rail of the stage, by its name; the stage's first rail is the first. */
export function paymentRailsSetting<Part>(
  make: (adapter: RailAdapter, name: RailName) => Part,
): ReadonlyMap<string, Part> {
  return new Map(Object.values(railOfMethodsSetting()).map((name) => [name, make(paymentRails[name], name)]));
}

/** The rails of the stage as what receives their notifications needs them. */
export function notifyingRailsSetting(clock: Clock) {
  return paymentRailsSetting(({ find }, name) => ({
    find: find(clock),
    readNotification: railNotifications[name](clock),
  }));
}
