import { Resolver } from 'node:dns/promises';
import type { Clock } from '#shared/platform/clock.ts';
import type { ResolveHost } from './ssrf-guard.ts';

/** Milliseconds for which a name server is waited for at first, and how often it is asked. */
const DNS_LIMITS = { timeout: 800, tries: 2 };

/** Milliseconds in all, however many name servers there are: whoever registers a webhook chooses who is asked. */
export const DNS_DEADLINE = 2000;

/**
 * Asks DNS itself, so that neither a hosts file nor a search domain of this machine says where a name leads. A failure to
 * get an answer in time is no address: what cannot be checked is not called.
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
