import { once } from 'node:events';
import { createServer } from 'node:net';
import * as z from 'zod/mini';

export interface ReservedPort {
  readonly port: number;
  /** Lets somebody else listen on it. */
  release(): Promise<void>;
}

/** A loopback port that nobody else is given until it is released. */
export async function reservePort(): Promise<ReservedPort> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    port,
    release: async () => {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** A loopback port that nothing listens on. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort();
  await release();
  return port;
}
