import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import * as z from 'zod/mini';

export interface ReservedPort {
  readonly port: number;
  /** Frees the port, so that another program can listen on it. */
  release(): Promise<void>;
}

/**
 * Reserves a loopback port until it is released.
 *
 * @param preferred the port, if it is free
 */
export async function reservePort(preferred = 0): Promise<ReservedPort> {
  const server = await listenOn(preferred).catch(() => listenOn(0));
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

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A loopback port that nothing listens on. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort();
  await release();
  return port;
}
