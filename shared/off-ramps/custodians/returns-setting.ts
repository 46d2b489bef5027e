import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { setting } from '#shared/platform/environment.ts';

/** How deposits of a network are sent back. A network without an entry returns nothing. */
const returnRoute = z.object({
  /** The account or address that returns are sent from, also by hand. */
  from: z.string(),
  /** The owner's other accounts and addresses: a transfer to one of them is a sweep. */
  treasury: z.array(z.string()),
  /** True if a person sends the returns, outside the service. */
  isByHand: z.boolean(),
});

const returnRoutes = z.partialRecord(network, returnRoute);

export type ReturnRoutes = Readonly<z.infer<typeof returnRoutes>>;

/**
 * The second to which tables were restored, while returns are held: until the books have matched every outgoing
 * movement since that second. Nothing is sent back meanwhile.
 */
export function heldSinceSetting(): { readonly heldSince?: string } {
  const heldSince = process.env['HELD_SINCE'];
  return heldSince ? { heldSince } : {};
}

/** The second to which tables were restored, while the restore is being put right. */
export function restoredSetting(): { readonly restoredAt?: string } {
  const restoredAt = process.env['RESTORED_AT'];
  return restoredAt ? { restoredAt } : {};
}

/** The return routes of the stage: `{"POLYGON": {"from": "7", "treasury": [], "isByHand": false}}`. */
export function returnsSetting(): ReturnRoutes {
  return returnRoutes.parse(JSON.parse(setting('RETURNS')));
}
