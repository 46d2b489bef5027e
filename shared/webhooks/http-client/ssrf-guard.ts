import { Resolver } from 'node:dns/promises';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import {
  BlockedUrl,
  isPublicAddress,
  parseWebhookTarget,
  type TargetRules,
  type WebhookTarget,
} from './webhook-target.ts';

/** Every IPv4 and IPv6 address of a name in the current DNS answer; none when it has none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** @throws {BlockedUrl} */
export type GuardTarget = (url: string) => Promise<Required<WebhookTarget>>;

/**
 * Decides whether a webhook may point somewhere, when it is set up and again on every attempt to call it. It returns
 * the addresses that it has checked: the caller has to connect to one of them, and must not ask DNS again. A name with
 * one address that is not public is refused as a whole.
 */
export function createSsrfGuard(resolve: ResolveHost, rules: TargetRules): GuardTarget {
  return async (text) => {
    const { url, addresses } = parseWebhookTarget(text, rules);
    if (addresses !== undefined) return { url, addresses };
    const resolved = await resolve(url.hostname);
    if (resolved.length === 0) {
      throw new BlockedUrl('HOST_NOT_RESOLVED', 'must have a host that DNS resolves to an address within 2 seconds');
    }
    if (!resolved.every(isPublicAddress)) {
      throw new BlockedUrl('ADDRESS_NOT_PUBLIC', 'must have a host with public addresses only');
    }
    return { url, addresses: resolved };
  };
}

/** The guard of where webhooks may point, by the rules of the stage and what DNS says. */
export function ssrfGuardSetting(clock: Clock): GuardTarget {
  return createSsrfGuard(createResolveHost(clock), {
    allowsThisMachine: setting('WEBHOOKS_TO_THIS_MACHINE') === 'true',
  });
}

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
