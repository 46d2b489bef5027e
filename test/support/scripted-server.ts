import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import * as z from 'zod/mini';

interface Received {
  /** `GET /api/infoClient`, with its query. */
  readonly call: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

/** An answer, or a connection that ends without one. */
type Scripted =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'reset';

const header = z.optional(z.string());

/** Starts a server for one test that gives these answers, in order, and keeps the requests. */
export async function scriptedServer(answers: readonly Scripted[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = answers[received.length];
    received.push({
      call: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      idempotencyKey: header.parse(request.headers['idempotency-key']),
      body: Buffer.concat(chunks).toString(),
    });
    if (answer === 'reset') return request.socket.destroy();
    const { status, headers = {}, body } = answer ?? { status: 418 };
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'Content-Type': type, ...headers });
    return response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return { baseUrl: `http://127.0.0.1:${port}`, received };
}
