import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { createFilling, type FillingParts } from '#shared/off-ramps/custodians/fill-pools.ts';

/** Makes deposit addresses for later operations, each minute (decisions.md 12, Addresses). */
export function fillAddressPool({
  custodians,
  ...parts
}: FillingParts & { readonly custodians: Custodians<'fillAddressPool'> }) {
  const fillers = [...new Set(custodians.values())].map((custodian) => custodian.fillAddressPool);
  return createFilling({ ...parts, name: 'fill-address-pool', fillers });
}
