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

/** The adapter of each rail. The rail's folder declares the settings and permissions of functions that call it. */
export const paymentRails = {
  simulated: simulatedRailAdapter,
  wompi: wompiRailAdapter,
} as const satisfies Readonly<Record<string, RailAdapter>>;

export type RailName = keyof typeof paymentRails;

/** The reader of each rail's notifications; apart from the adapters, so that only the receiving function bundles it. */
const railNotifications: Readonly<Record<RailName, CreateRailNotifications>> = {
  simulated: createSimulatedRailNotifications,
  wompi: createWompiNotifications,
};

/** The payment methods as each rail offers them. */
export const methodsByRail: Readonly<Record<RailName, RailMethods>> = mapValues(paymentRails, (rail) => rail.methods);

const railByMethod = z.partialRecord(paymentMethod, z.enum(keysOf(paymentRails)));

/** The rail that collects by each payment method at this stage; a method without one is not served. */
export function railByMethodSetting() {
  return railByMethod.parse(JSON.parse(setting('PAYMENT_RAILS')));
}

/** Makes these members of every rail of the stage, in a map by the rail's name. The stage's first rail comes first. */
export function paymentRailsSetting<Part>(
  make: (adapter: RailAdapter, name: RailName) => Part,
): ReadonlyMap<string, Part> {
  return new Map(Object.values(railByMethodSetting()).map((name) => [name, make(paymentRails[name], name)]));
}

/** The stage's rails with the members that the receiver of notifications needs. */
export function notifyingRailsSetting(clock: Clock) {
  return paymentRailsSetting(({ find }, name) => ({
    find: find(clock),
    readNotification: railNotifications[name](clock),
  }));
}
