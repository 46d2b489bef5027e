import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { ClientEvent } from '#sdk/sample-off-ramp.ts';
import type { Progress } from './progress.ts';
import { verifyWebhook } from './verify-webhook.ts';

export interface WebhookReceiver {
  readonly url: string;
  /** From now on, accepts calls that this secret verifies. */
  trust(secret: string): void;
  /** The verified events, in the order of their first arrival; an event that is sent again is listed once. */
  received(): readonly ClientEvent[];
  stop(): Promise<void>;
}

const event = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) });

/** A minimal endpoint of a client, on a free port of this machine. It prints a line for each call. */
export async function startWebhookReceiver({ say }: Progress): Promise<WebhookReceiver> {
  const events = new Map<string, ClientEvent>();
  let trusted: string | undefined;

  const take = (headers: IncomingHttpHeaders, body: Buffer): 204 | 401 => {
    const time = `${new Date().toISOString().slice(11, 19)}Z`;
    if (trusted === undefined || !verifyWebhook(trusted, headers, body)) {
      say(`  ${time}  a call that does not verify: answered 401`);
      return 401;
    }
    const id = `${headers['webhook-id']}`;
    const received = event.parse(JSON.parse(body.toString('utf8')));
    say(`  ${time}  ${lineOf(received)}  ${id}  verified ✓${events.has(id) ? ' (again)' : ''}`);
    if (!events.has(id)) events.set(id, received);
    return 204;
  };
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => response.writeHead(take(request.headers, body)).end())
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    trust: (secret) => {
      trusted = secret;
    },
    received: () => [...events.values()],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Type, change and subject of an event, because several off-ramps may be in progress. */
function lineOf({ type, data }: ClientEvent): string {
  const { status, previousStatus, reasons, operationId, payinId } = data;
  return [
    type,
    ...(status === undefined ? [] : [`${previousStatus ?? '(new)'} → ${status}`]),
    ...(Array.isArray(reasons) && reasons.length > 0 ? [reasons.join(', ')] : []),
    ...(operationId === undefined ? [] : [`operation ${operationId}`]),
    ...(payinId === undefined ? [] : [`pay-in ${payinId}`]),
  ].join('  ');
}
