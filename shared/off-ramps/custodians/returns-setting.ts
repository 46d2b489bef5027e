import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { setting } from '#shared/platform/environment.ts';

/** How deposits of a network are sent back. A network without an entry returns nothing. */
const returnRoute = z.object({
  /** The account or address that returns are sent from, by hand too. */
  from: z.string(),
  /** The owner's other accounts and addresses: what moves to them is a sweep. */
  treasury: z.array(z.string()),
  /** A person sends them, outside the service. */
  isByHand: z.boolean(),
});

const returnRoutes = z.partialRecord(network, returnRoute);

export type ReturnRoutes = Readonly<z.infer<typeof returnRoutes>>;

/**
 * After a restore of tables, until the books have matched every movement out since then: the second to which they were
 * restored. Nothing is sent back meanwhile.
 */
export function heldSinceSetting(): { readonly heldSince?: string } {
  const heldSince = process.env['HELD_SINCE'];
  return heldSince ? { heldSince } : {};
}

/** While a restore of tables is put right: the second to which they were restored. */
export function restoredSetting(): { readonly restoredAt?: string } {
  const restoredAt = process.env['RESTORED_AT'];
  return restoredAt ? { restoredAt } : {};
}

/** As the stage has them: `{"POLYGON": {"from": "7", "treasury": [], "isByHand": false}}`. */
export function returnsSetting(): ReturnRoutes {
  return returnRoutes.parse(JSON.parse(setting('RETURNS')));
}
