import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
