import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';

/** A whole request that reached the receiver. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Milliseconds to wait before the answer. */
  readonly after?: number;
}

/** Decides the answer to a request; `nth` counts the requests to its path from 1. `reset` resets the connection. */
type Script = (request: Received, nth: number) => Play | Promise<Play>;

type Play = Answer | 'never' | 'reset';

export interface Receiver {
  /** `http://127.0.0.1:49152` */
  readonly url: string;
  /** The requests to a path, whatever their query, in the order of their arrival. */
  received(path: string): readonly Received[];
  /** The most requests to these paths that were open at the same time: whose connection had not ended. */
  mostOpen(paths: readonly string[]): number;
  /** The number of requests to these paths that are open now. */
  open(paths: readonly string[]): number;
  stop(): Promise<void>;
}

/** A client's endpoint: an HTTP server on a free port of this machine that keeps the requests. */
export async function receiver(script: Script = () => ({ status: 204 })): Promise<Receiver> {
  const requests: Received[] = [];
  /** Each beginning and end of a request, in their order. */
  const turns: { readonly path: string; readonly step: 1 | -1 }[] = [];
  const received = (path: string) => requests.filter((request) => pathnameOf(request) === path);
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = requestOf(incoming, Buffer.concat(chunks));
      requests.push(request);
      const path = pathnameOf(request);
      turns.push({ path, step: 1 });
      response.once('close', () => turns.push({ path, step: -1 }));
      const nth = received(path).length;
      Promise.resolve(script(request, nth)).then(
        (answer) => play(answer, response),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    mostOpen: (paths) => {
      let [open, most] = [0, 0];
      for (const { path, step } of turns) {
        if (paths.includes(path)) open += step;
        most = Math.max(most, open);
      }
      return most;
    },
    open: (paths) => turns.filter(({ path }) => paths.includes(path)).reduce((open, { step }) => open + step, 0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function requestOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Received {
  const values = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { method, path: url, headers: Object.fromEntries(values), body, at: Date.now() };
}

function pathnameOf({ path }: Received): string {
  return path.split('?')[0] ?? '';
}

function play(answer: Play, response: ServerResponse): void {
  if (answer === 'never') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  setTimeout(() => {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  }, answer.after ?? 0);
}
