import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import * as z from 'zod/mini';

/* How servers of providers fail, for the suites of all adapters. */

/** Starts a server on this machine for one test. @returns its URL */
export async function startServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<string> {
  const server = createServer((request, response) => answer(response, request));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return `http://127.0.0.1:${port}`;
}

export const answers =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

function endlessly(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(1_000_000)));
  };
  response.on('drain', more);
  more();
}

/** Faults that are no answer; an adapter must never take one for an empty result. */
export const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a page of HTML': answers(200, '<html><body>Welcome</body></html>', { 'content-type': 'text/html' }),
  'half an answer': answers(200, '[{"id":0,"result":'),
  'an empty answer': answers(200),
  'an answer without an end': endlessly,
  'an answer that breaks off': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    setImmediate(() => response.destroy());
  },
  'no connection': (response) => void response.destroy(),
  'a redirect': answers(307, '', { location: 'http://127.0.0.1:1/' }),
  ...Object.fromEntries([400, 401, 403, 404, 500, 502, 503].map((status) => [`a ${status}`, answers(status, '{}')])),
};

export const silent: typeof faults = {
  'no answer at all': () => undefined,
  'an answer of which nothing comes after its beginning': (response) => void response.writeHead(200).write('{'),
};

/** Values of the wrong type, in place of a string, a number or a boolean. */
export const wrongKinds: readonly unknown[] = [null, {}, [], [7]];

/** The paths of all values in an answer that are neither objects nor lists. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

export function replaced(value: unknown, [key, ...path]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[key] = replaced(copy[key], path, by);
  return copy;
}
