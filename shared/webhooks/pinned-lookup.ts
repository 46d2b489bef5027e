import { isIP, type LookupFunction } from 'node:net';

const FAMILIES: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

/**
 * Replaces DNS when a connection is made: every name resolves to the given addresses, which the guard has checked. A
 * DNS answer that changes a moment later has no effect (DNS rebinding).
 */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const judged = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all = false, family = 0 }, callback) => {
    const wanted = FAMILIES[family] ?? family;
    const found = judged.filter((each) => wanted === 0 || each.family === wanted);
    const [first] = found;
    // As with DNS, the answer comes later than the call returns: a socket is not ready for it before.
    queueMicrotask(() => {
      if (first === undefined) callback(new Error('The host has no address of the family.'), '');
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
