import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { authorityOf } from '#shared/platform/http/fields.ts';
import { LONGEST_WEBHOOK_URL } from '#shared/webhooks/model/webhook.ts';

/** The rules for webhook URLs that differ between stages. */
export interface TargetRules {
  /** True if plain http to this machine is allowed, on any port: in the local stage only. */
  readonly allowsThisMachine: boolean;
}

export interface WebhookTarget {
  readonly url: URL;
  /** The addresses, if known without DNS: of an IP address or this machine. Absent for any other name. */
  readonly addresses?: readonly string[];
}

/** Why a URL is refused. The first four depend on the URL alone; the others on the current DNS answer. */
export type TargetFault =
  | 'INVALID_FORMAT'
  | 'OUT_OF_RANGE'
  | 'NOT_ALLOWED'
  | 'HOST_NOT_PUBLIC'
  | 'HOST_NOT_RESOLVED'
  | 'ADDRESS_NOT_PUBLIC';

/** The message is for the client and completes a sentence about the URL; it never contains an address. */
export class BlockedUrl extends Error {
  override readonly name = 'BlockedUrl';
  readonly fault: TargetFault;

  constructor(fault: TargetFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Ports as `URL.port` gives them: empty for 443, the default of https. */
const PORTS: readonly string[] = ['', '8443'];

/** Names that mean this machine or the network it is in (RFC 6761, RFC 6762, RFC 8375, and `internal` of ICANN). */
const INSIDE_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/;

const THIS_MACHINE: ReadonlyMap<string, readonly string[]> = new Map([
  ['localhost', ['127.0.0.1', '::1']],
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
]);

/**
 * Checks the webhook's URL without DNS (decisions.md 7, Where a webhook may point). A host that is an IP address, in
 * any notation, is checked here, because connecting to it needs no DNS.
 *
 * @throws {BlockedUrl}
 */
export function parseWebhookTarget(text: string, { allowsThisMachine }: TargetRules): WebhookTarget {
  const authority = authorityOf(text);
  if (authority === undefined) throw new BlockedUrl('INVALID_FORMAT', 'must be an absolute https URL');
  const url = new URL(text);
  if (Math.max(text.length, url.href.length) > LONGEST_WEBHOOK_URL) {
    throw new BlockedUrl('OUT_OF_RANGE', `must be at most ${LONGEST_WEBHOOK_URL} characters long`);
  }
  if (authority.includes('@')) throw new BlockedUrl('NOT_ALLOWED', 'must be without user name and password');
  if (text.includes('#')) throw new BlockedUrl('NOT_ALLOWED', 'must be without a fragment');
  const addresses = THIS_MACHINE.get(url.hostname);
  if (allowsThisMachine && url.protocol === 'http:' && addresses !== undefined) return { url, addresses };
  if (url.protocol !== 'https:') throw new BlockedUrl('NOT_ALLOWED', 'must be an https URL');
  if (!PORTS.includes(url.port)) throw new BlockedUrl('NOT_ALLOWED', 'must have the port 443 or 8443');
  return publicTarget(url);
}

function publicTarget(url: URL): WebhookTarget {
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
  const isAddress = isIP(host) !== 0;
  if (!(isAddress ? isPublicAddress(host) : isPublicName(host))) {
    throw new BlockedUrl('HOST_NOT_PUBLIC', 'must have a host on the public Internet');
  }
  return isAddress ? { url, addresses: [host] } : { url };
}

/** A public name has at least two labels, and no dot at the end: certificates have none. */
function isPublicName(name: string): boolean {
  return /[^.]\.[^.]+$/.test(name) && !INSIDE_NAMES.test(name);
}

/** The range of all public IPv6 addresses; ipaddr.js calls most addresses outside it `unicast`, too. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * True if an IPv4 or IPv6 address is on the public Internet: not private, loopback, link-local, shared, multicast,
 * reserved or for documentation, and without an embedded IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  // ipaddr.js would read 1.2.3 as 1.2.0.3, and ignore the interface of fe80::1%eth0.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/** Returns every IPv4 and IPv6 address of a name in the current DNS answer, or an empty list. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** @throws {BlockedUrl} */
export type GuardTarget = (url: string) => Promise<Required<WebhookTarget>>;

/**
 * Most addresses of a name that a call tries. The owner of the name chooses them, and could list thousands of other
 * people's addresses.
 */
const MOST_ADDRESSES = 8;

/**
 * Checks a webhook's URL when it is set, and again before every call. It returns the addresses that it has checked: the
 * caller has to connect to one of them, and must not ask DNS again. A name with one address that is not public is
 * refused as a whole.
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
    return { url, addresses: resolved.slice(0, MOST_ADDRESSES) };
  };
}

/** The guard with the rules of the stage and with real DNS. */
export function ssrfGuardSetting(clock: Clock): GuardTarget {
  return createSsrfGuard(createResolveHost(clock), {
    allowsThisMachine: setting('WEBHOOKS_TO_THIS_MACHINE') === 'true',
  });
}

/** Milliseconds of the first time-out of a name server, and tries per name server. */
const DNS_LIMITS = { timeout: 800, tries: 2 };

/** Milliseconds for a whole lookup, however many name servers there are: the owner of the host's name chooses them. */
export const DNS_DEADLINE = 2000;

/**
 * Queries DNS directly, so that no hosts file and no search domain of this machine changes the result. Without an
 * answer in time there is no address: a host that cannot be checked is not called.
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
