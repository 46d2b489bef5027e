import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { CannotStart } from './cannot-start.ts';

interface Targets {
  readonly clientsApi: string;
  readonly providersApi: string;
  /** The page of operations, which is part of no API. */
  readonly operationsPage: RequestListener;
}

export interface Forwarder {
  forwardTo(targets: Targets): void;
  stop(): Promise<void>;
}

/**
 * Serves both APIs and the page of operations under one short base URL; 503 until their addresses are known. Bytes and
 * headers pass unchanged, except the headers that only browsers send: the local AWS refuses browsers. The base URL
 * itself redirects a browser to the documentation.
 */
export function startForwarder(port: number): Promise<Forwarder> {
  let targets: Targets | undefined;
  const server = createServer((incoming, outgoing) => {
    if (targets === undefined) outgoing.writeHead(503, { 'Retry-After': '5' }).end('The service is starting.\n');
    else if (incoming.url === '/') outgoing.writeHead(302, { Location: '/api/docs' }).end();
    else if (isForOperations(incoming.url)) targets.operationsPage(incoming, outgoing);
    else forward(incoming, outgoing, targets);
  });
  const forwarder: Forwarder = {
    forwardTo: (known) => {
      targets = known;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return new Promise((resolve, reject) => {
    server.on('error', (cause: NodeJS.ErrnoException) => reject(new CannotStart(whyNot(cause, port), { cause })));
    server.listen(port, '127.0.0.1', () => resolve(forwarder));
  });
}

function whyNot({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another one: npm start -- --port ${port + 1}`;
  return `Cannot listen on port ${port}: ${message}. Choose another one: npm start -- --port 8080`;
}

function isForOperations(path = ''): boolean {
  return /^\/operations(?:[/?]|$)/.test(path);
}

/** Providers call an API of their own. */
function isForProviders(path: string): boolean {
  return path.startsWith('/api/custodian/') || path.startsWith('/api/payment-rail/');
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, { clientsApi, providersApi }: Targets): void {
  const path = incoming.url ?? '/';
  const target = new URL(isForProviders(path) ? providersApi : clientsApi);
  const forwarded = request(
    {
      host: target.hostname,
      port: target.port,
      path: `${target.pathname}${path}`,
      method: incoming.method,
      headers: withoutOrigin(incoming.headers),
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  forwarded.on('error', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  incoming.pipe(forwarded);
}

function withoutOrigin(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'origin' && !name.startsWith('sec-fetch-')),
  );
}
