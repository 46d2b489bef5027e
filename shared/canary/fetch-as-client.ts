import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Fetch } from '#sdk/send.ts';

const ADMIN_PATH = '/api/v1/admin/';

/** The hosts of the clients' API, each for its own paths, and the client certificate that they may require. */
interface Reached {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Calls as a client does, with its certificate, which the platform's fetch cannot present. Each call looks up the host
 * and opens its own connection: with kept connections the canary would not notice for long that new ones fail.
 */
export function createFetch({ baseUrl, adminUrl, cert, key }: Reached): Fetch {
  const identity = cert === undefined || key === undefined ? {} : { cert, key };
  return async (url, { method = 'GET', headers, body, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const fail = (error: Error) => reject(new TypeError(error.message, { cause: error }));
    const reached = url.replace(`${baseUrl}${ADMIN_PATH}`, `${adminUrl}${ADMIN_PATH}`);
    const open = reached.startsWith('https:') ? requestHttps : requestHttp;
    const own = Object.fromEntries(new Headers(headers));
    const sent = open(
      reached,
      { ...identity, agent: false, method, headers: own, ...(signal && { signal }) },
      (answer) => {
        const { statusCode: status = 500, headers: answered } = answer;
        const given = Object.entries(answered).map(([name, value]): [string, string] => [name, String(value)]);
        buffer(answer)
          .then((text) => new Response(text.length === 0 ? null : new Uint8Array(text), { status, headers: given }))
          .then(resolve, fail);
      },
    );
    sent.on('error', fail);
    sent.end(typeof body === 'string' ? body : undefined);
    return await promise;
  };
}
