import { isPublicAddress } from './public-address.ts';
import { BlockedUrl, parseWebhookTarget, type TargetRules, type WebhookTarget } from './webhook-target.ts';

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
