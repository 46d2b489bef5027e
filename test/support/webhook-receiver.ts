import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createBareServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface WebhookReceiver {
  readonly port: number;
  /** With an identity, at hooks.example.com, a name without an address; otherwise at this machine's address. */
  readonly url: URL;
  readonly received: readonly Received[];
  /** The number of connections so far. */
  connections(): number;
}

interface Identity {
  readonly key: string | Buffer;
  readonly cert: string;
}

/** Starts an endpoint on this machine for the running test, over https if it has an identity. */
export async function receiving(
  answer: (response: ServerResponse) => void,
  identity?: Identity,
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    buffer(request).then(
      (body) => {
        received.push({ method: request.method, path: request.url, headers: request.headers, body });
        answer(response);
      },
      () => response.destroy(),
    );
  };
  const server = identity === undefined ? createServer(listener) : createSecureServer(identity, listener);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listenLocally(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const origin = identity === undefined ? 'http://127.0.0.1' : 'https://hooks.example.com';
  return { port, url: new URL(`${origin}:${port}/hook?tenant=7`), received, connections: () => connections };
}

/** Makes a server listen on this machine; returns its port. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Starts an endpoint that does anything with the bare connection, once data have arrived on it. */
export async function bareEndpoint(speak: (socket: Socket) => void): Promise<URL> {
  const sockets: Socket[] = [];
  const server = createBareServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => speak(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(`http://127.0.0.1:${await listenLocally(server)}/`);
}

/** An answer without a body. */
export function answering(
  statusCode: number,
  headers: Readonly<Record<string, string>> = {},
): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(statusCode, headers).end();
  };
}
