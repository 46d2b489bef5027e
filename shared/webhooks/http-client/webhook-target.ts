import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { authorityOf } from '#shared/platform/http/fields.ts';
import { LONGEST_WEBHOOK_URL } from '#shared/webhooks/model/webhook.ts';

/** The rules for webhook URLs that differ between stages. */
export interface TargetRules {
  /** Plain http to this machine, on any port: in the local stage only. */
  readonly allowsThisMachine: boolean;
}

export interface WebhookTarget {
  readonly url: URL;
  /** Addresses that the host itself says; absent for a name, which DNS has to be asked for. */
  readonly addresses?: readonly string[];
}

/** Why a webhook may not point there. The first four depend on the URL alone; the others on the current DNS answer. */
export type TargetFault =
  | 'INVALID_FORMAT'
  | 'OUT_OF_RANGE'
  | 'NOT_ALLOWED'
  | 'HOST_NOT_PUBLIC'
  | 'HOST_NOT_RESOLVED'
  | 'ADDRESS_NOT_PUBLIC';

/** Its message is for the client and completes a sentence about its URL; it never has an address. */
export class BlockedUrl extends Error {
  override readonly name = 'BlockedUrl';
  readonly fault: TargetFault;

  constructor(fault: TargetFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** As the parser of URLs gives them: 443 is the default of https. */
const PORTS: readonly string[] = ['', '8443'];

/** Names that mean this machine or the network it is in (RFC 6761, RFC 6762, RFC 8375, and `internal` of ICANN). */
const INSIDE_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/;

const THIS_MACHINE: ReadonlyMap<string, readonly string[]> = new Map([
  ['localhost', ['127.0.0.1', '::1']],
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
]);

/**
 * The rules that a webhook's URL itself has to keep (decisions.md 7, Where a webhook may point). A host that is an
 * address, however it is written, is judged here: connecting to one asks no DNS.
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

/** Of at least two labels and without a dot at the end, which certificates do not have. */
function isPublicName(name: string): boolean {
  return /[^.]\.[^.]+$/.test(name) && !INSIDE_NAMES.test(name);
}

/** The only part of IPv6 that addresses on the Internet are taken from; ipaddr.js knows just what is special elsewhere. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IPv4 or IPv6 address is one of the public Internet: not private, loopback, link-local, shared, multicast,
 * reserved or for documentation, and none that carries an IPv4 address inside it (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  // ipaddr.js would take 1.2.3 for 1.2.0.3, and an address of one interface for one of all.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}
