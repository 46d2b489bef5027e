import * as z from 'zod/mini';
import { keysOf } from '#shared/platform/collections.ts';
import { setting } from '#shared/platform/environment.ts';
import type { Custodian } from './custodian.ts';
import { createSimulatedCustodian } from './simulated/simulated-custodian.ts';

/**
 * Creates the adapter of each name. The adapter's folder declares the settings and permissions of functions that use
 * it.
 */
export const custodians = {
  simulated: createSimulatedCustodian,
} as const satisfies Readonly<Record<string, () => Custodian>>;

export type CustodianName = keyof typeof custodians;

/** The custodian of the stage. A function needs settings only for the parts that it uses. */
export function custodianSetting(): Custodian {
  return custodians[z.parse(z.enum(keysOf(custodians)), setting('CUSTODIAN'))]();
}
