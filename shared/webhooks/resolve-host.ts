import { Resolver } from 'node:dns/promises';
import type { ResolveHost } from './target-guard.ts';

/** Milliseconds for which a name server is waited for, and how often it is asked. */
const PATIENCE = { timeout: 2000, tries: 2 };

/**
 * Asks DNS itself, so that neither a hosts file nor a search domain of this machine says where a name leads. A failure to
 * get an answer is no address: what cannot be checked is not called.
 */
export function dnsResolver(nameServers?: readonly string[]): ResolveHost {
  const resolver = new Resolver(PATIENCE);
  if (nameServers !== undefined) resolver.setServers(nameServers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
