import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { createFilling, type FillingParts } from '#shared/off-ramps/custodians/fill-pools.ts';

/**
 * Makes tags for later operations, each minute. A separate function from fill-address-pool, because it has the key of a
 * user of the custodian's API with more rights.
 */
export function fillTagPool({
  custodians,
  ...parts
}: FillingParts & { readonly custodians: Custodians<'fillTagPool'> }) {
  const fillers = [...new Set(custodians.values())].map((custodian) => custodian.fillTagPool);
  return createFilling({ ...parts, name: 'fill-tag-pool', fillers });
}
