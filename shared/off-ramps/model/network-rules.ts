import * as z from 'zod/mini';
import { type Network, type NetworkRules, networks } from '#shared/networks/network.ts';
import { setting } from '#shared/platform/environment.ts';

const networkRules = z.record(z.enum(networks), z.object({ finalitySeconds: z.number() }));

/** Finality per network, as the stage sets it. */
export function networkRulesSetting(): Readonly<Record<Network, NetworkRules>> {
  return networkRules.parse(JSON.parse(setting('NETWORK_RULES')));
}
