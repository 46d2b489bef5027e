import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import * as z from 'zod/mini';
import { createWompiDouble, type WompiAnswer, type WompiDoubleOptions, type WompiFault } from './wompi-double.ts';

interface ServerOptions extends WompiDoubleOptions {
  /** A free port if absent. */
  readonly port?: number;
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
}

const decision = z.object({
  status: z.enum(['APPROVED', 'DECLINED', 'ERROR', 'VOIDED']),
  amountInCents: z.optional(z.int()),
});

const fault = z.object({
  kind: z.enum(['TOO_MANY', 'BROKEN', 'REDIRECT', 'SLOW', 'MALFORMED', 'CUT_OFF']),
  call: z.optional(z.string()),
  times: z.optional(z.int()),
  takesEffect: z.optional(z.boolean()),
  delay: z.optional(z.int()),
  retryAfter: z.optional(z.int()),
});

/**
 * The double behind HTTP or HTTPS on this machine. Beside the vendor's calls, `POST /_double/payments/{reference}`
 * decides a payment by `{status, amountInCents?}`, and `POST /_double/faults` makes calls fail by
 * `{kind, call?, times?, …}`.
 */
export async function startWompiDouble(options: ServerOptions) {
  const double = createWompiDouble(options);

  function decide(reference: string, body: string): WompiAnswer {
    const { status, amountInCents } = decision.parse(JSON.parse(body));
    if (double.payment(reference) === undefined)
      return { status: 404, headers: {}, body: `There is no payment ${reference}.\n` };
    double.decide(reference, amountInCents === undefined ? { status } : { status, amountInCents });
    const headers = { 'content-type': 'application/json' };
    return { status: 200, headers, body: JSON.stringify(double.payment(reference)) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [{ method = '', url: path = '', headers }, body] = [request, Buffer.concat(chunks).toString()];
    if (`${method} ${path}` === 'POST /_double/faults') {
      double.fail(fault.parse(JSON.parse(body)) as WompiFault);
      return respond(response, { status: 200, headers: {}, body: '' });
    }
    const [, reference] = /^POST \/_double\/payments\/([^/]+)$/.exec(`${method} ${path}`) ?? [];
    const answer =
      reference === undefined
        ? double.answer({ method, path, headers, body })
        : decide(decodeURIComponent(reference), body);
    const send = () => respond(response, answer);
    if (answer.delay === undefined) send();
    else options.clock.after(answer.delay, send);
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch((error) => response.writeHead(400).end(`${error}\n`));
  };
  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    ...double,
    /** Without `/v1`. */
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, { status, headers, body, isCutOff }: WompiAnswer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length });
  if (!isCutOff) response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.destroy());
}
