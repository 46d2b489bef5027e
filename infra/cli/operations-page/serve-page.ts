import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '#infra/cli/service.ts';
import { createOperationsPage } from './operations-page.ts';

export interface ServedPage {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the page for one operator on a port of its own. The page calls the service with the operator's identity, so
 * nobody else may use it: neither other users of this machine nor pages of other sites have the random token. The token
 * is in the address behind `#`, which browsers send nowhere, and is no cookie, because cookies go to every port. The
 * address is a number, because the name `localhost` may be ::1, where somebody else may listen.
 */
export async function servePage(service: Service, options: string): Promise<ServedPage> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = portOf(server.address());
  const token = randomBytes(32).toString('base64url');
  server.on('request', await createOperationsPage({ service, options, port, token }));
  return {
    url: `http://127.0.0.1:${port}/operations#token=${token}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  return address;
}
