import * as z from 'zod/mini';
import { keysOf } from '#shared/platform/collections.ts';
import { setting } from '#shared/platform/environment.ts';
import type { Custodian } from './custodian.ts';
import { createSimulatedCustodian } from './simulated/simulated-custodian.ts';

/** Makes the adapter of each name; what functions are given to ask it, its folder says for the stage that names it. */
export const custodians = {
  simulated: createSimulatedCustodian,
} as const satisfies Readonly<Record<string, () => Custodian>>;

export type CustodianName = keyof typeof custodians;

/** The custodian of the stage. What a function does not ask of it needs no settings. */
export function custodianSetting(): Custodian {
  return custodians[z.parse(z.enum(keysOf(custodians)), setting('CUSTODIAN'))]();
}
