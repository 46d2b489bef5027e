interface Tag {
  readonly name: string;
  readonly description: string;
  /** Path prefixes: every path that begins with one of these has the tag. */
  readonly paths: readonly string[];
}

/** The tag of the calls that the service makes to clients: generators of clients make no methods of them. */
export const EVENTS_TAG = 'Events';

/** The sections of the description, in the order in which a new client needs them. */
export const tags: readonly Tag[] = [
  {
    name: 'Access',
    description: 'Access tokens. Every other call of a client needs one; each is valid for five minutes.',
    paths: ['/api/v1/client/token', '/api/token'],
  },
  { name: 'Client', description: "The client's own profile.", paths: ['/api/infoClient'] },
  {
    name: 'Pay-ins',
    description: "Fiat that is collected from the client's users.",
    paths: ['/api/v1/admin/fiats/', '/api/v1/admin/payins'],
  },
  {
    name: 'Off-ramps',
    description:
      'Crypto that users send from their own wallets, and the hash of the transaction that funds each off-ramp.',
    paths: ['/api/v1/admin/operation/', '/api/v1/admin/withdrawals'],
  },
  {
    name: 'Users',
    description: 'The users that are registered for the client, and the wallets from which they send.',
    paths: ['/api/v1/admin/users'],
  },
  {
    name: 'Parameters',
    description: 'Lists of what the service supports.',
    paths: ['/api/parameters/', '/api/v1/admin/banks'],
  },
  {
    name: 'Event feed',
    description: 'Every event of the client, to be sure that none was missed.',
    paths: ['/api/v1/events'],
  },
  {
    name: 'Webhooks',
    description: 'Where the client is notified of events.',
    paths: ['/api/webhooks/'],
  },
  {
    name: EVENTS_TAG,
    description:
      "What the service sends to the client's webhooks: at least once, in any order, each call signed by Standard Webhooks 1.0. Verify the signature over the bytes of the body as they arrived.",
    paths: [],
  },
  {
    name: 'Sandbox',
    description: 'Routes that produce any outcome on demand. They do not exist in production.',
    paths: ['/api/sandbox/'],
  },
  { name: 'Documentation', description: 'This description.', paths: ['/api/openapi.json'] },
];

/** @throws {Error} when no section takes the path */
export function tagOf(path: string): string {
  const tag = tags.find(({ paths }) => paths.some((beginning) => path.startsWith(beginning)));
  if (tag === undefined) throw new Error(`${path} belongs to no section: add it in infra/api/openapi/route-tags.ts.`);
  return tag.name;
}
