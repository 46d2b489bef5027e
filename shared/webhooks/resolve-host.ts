import { Resolver } from 'node:dns/promises';
import type { Clock } from '#shared/platform/clock.ts';
import type { ResolveHost } from './ssrf-guard.ts';

/** Milliseconds of the first time-out of a name server, and its tries. */
const DNS_LIMITS = { timeout: 800, tries: 2 };

/** Milliseconds in all, however many name servers there are: the owner of a webhook chooses which ones are asked. */
export const DNS_DEADLINE = 2000;

/**
 * Asks DNS itself, so that no hosts file and no search domain of this machine changes the result. Without an answer in
 * time there is no address: a host that cannot be checked is not called.
 */
export function createResolveHost(clock: Clock, nameServers?: readonly string[]): ResolveHost {
  return async (hostname) => {
    const resolver = new Resolver(DNS_LIMITS);
    if (nameServers !== undefined) resolver.setServers(nameServers);
    const stopWaiting = clock.after(DNS_DEADLINE, () => resolver.cancel());
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    stopWaiting();
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
