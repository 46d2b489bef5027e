import * as z from 'zod/mini';
import { setting } from '#shared/platform/environment.ts';
import type { Custodian } from './custodian.ts';
import { type CustodianName, custodianNames } from './custodian-name.ts';
import { createSimulatedCustodian } from './simulated/simulated-custodian.ts';

/** Makes the adapter of each name. */
export const custodians: Readonly<Record<CustodianName, () => Custodian>> = {
  simulated: createSimulatedCustodian,
};

/** The custodian of the stage. What a function does not ask of it needs no settings. */
export function custodianSetting(): Custodian {
  return custodians[z.parse(z.enum(custodianNames), setting('CUSTODIAN'))]();
}
