import * as z from 'zod/mini';
import { type CustodianName, custodianNames } from '#shared/domain/custodian-name.ts';
import { setting } from '#shared/runtime/environment.ts';
import type { Custodian } from './custodian.ts';
import { createSimulatedCustodian } from './simulated/simulated-custodian.ts';

/** Makes the adapter of each name. */
export const custodians: Readonly<Record<CustodianName, () => Custodian>> = {
  simulated: createSimulatedCustodian,
};

/** The custodian of the stage. What a function does not ask of it needs no settings. */
export function custodianSetting(): Custodian {
  return custodians[z.parse(z.enum(custodianNames), setting('CUSTODIAN'))]();
}
