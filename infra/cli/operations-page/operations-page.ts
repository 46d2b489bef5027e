import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { OpsError } from '#infra/cli/ops-error.ts';
import { ask, type Service } from '#infra/cli/service.ts';
import { offRampOperatorRoutes } from '#infra/off-ramps/operator-routes.ts';
import { operationRoutes } from '#infra/operators/operation-routes.ts';
import { payInOperatorRoutes } from '#infra/pay-ins/operator-routes.ts';
import { webhookOperatorRoutes } from '#infra/webhooks/operator-routes.ts';
import { pageFiles } from './page-files.ts';
import type { Setup } from './setup.ts';
import { verificationMachine } from './verification-machine.ts';

interface Dependencies extends Pick<Setup, 'options'> {
  /** The operators' API. */
  readonly service: Service;
  readonly port: number;
  /** Every reader of data has to send it. Without a token, everybody on this machine may read. */
  readonly token?: string;
}

const DATA = '/operations/data/';

/** The page may look up money, and no personal data. */
const lookups = [...offRampOperatorRoutes, ...payInOperatorRoutes, ...webhookOperatorRoutes, ...operationRoutes].filter(
  ({ contract }) => contract.method === 'GET',
);

const byPath = new Map(lookups.map(({ contract }) => [`${DATA}${contract.name}`, contract]));

const lists = lookups
  .filter(({ contract, report }) => report === undefined && contract.query.safeParse({}).success)
  .map(({ contract: { name, summary } }) => ({ name, summary }));

/**
 * The page of operations, on this machine alone. It shows only what the operators' API answers, and calls it like the
 * command line. A browser here may have pages of other sites open: requests of another origin are refused.
 */
export async function createOperationsPage({ service, options, port, token }: Dependencies): Promise<RequestListener> {
  const files = await pageFiles();
  const setup: Setup = { service: service.name, options, lists, verification: verificationMachine };

  return (incoming, outgoing) => {
    const url = addressed(incoming, port, token === undefined ? ['localhost', '127.0.0.1', '[::1]'] : ['127.0.0.1']);
    if (url === undefined) return answer(outgoing, 403, 'text/plain', 'This page is for this machine alone.\n');
    if (incoming.method !== 'GET') {
      outgoing.setHeader('Allow', 'GET');
      return answer(outgoing, 405, 'text/plain', 'This page is read-only.\n');
    }
    // Files need no token, because they are in the repository.
    const file = files.get(url.pathname);
    if (file !== undefined) return answer(outgoing, 200, file.type, file.content);
    if (token !== undefined && !isSame(token, incoming.headers['x-page-token']))
      return answer(outgoing, 401, 'text/plain', 'Open the whole address that the command has printed.\n');
    if (url.pathname === '/operations/setup') return answer(outgoing, 200, 'application/json', JSON.stringify(setup));
    const contract = byPath.get(url.pathname);
    if (contract === undefined) return answer(outgoing, 404, 'text/plain', 'There is nothing here.\n');
    const query = Object.fromEntries(url.searchParams);
    void ask(service, contract, { query })
      .then(({ body }) => ({ answer: body }), refusal)
      // Always 200: a browser logs other statuses to its console, which is for mistakes of the page itself.
      .then((result) => answer(outgoing, 200, 'application/json', JSON.stringify(result)));
  };
}

/** Returns the URL of a request that names this machine; a request under any other name may be DNS rebinding. */
function addressed(
  { headers: { host }, url = '/' }: IncomingMessage,
  port: number,
  names: readonly string[],
): URL | undefined {
  const isHere = names.some((name) => host === `${name}:${port}`);
  return isHere && url.startsWith('/') ? new URL(`http://${host}${url}`) : undefined;
}

/** Compares in constant time, so that the duration does not show how much of the token is right. */
function isSame(token: string, given: string | readonly string[] | undefined): boolean {
  const [own, other] = [token, String(given)].map((text) => createHash('sha256').update(text).digest());
  return own !== undefined && other !== undefined && timingSafeEqual(own, other);
}

function refusal(error: unknown) {
  if (error instanceof OpsError) return { problem: { detail: error.message, ...error.details } };
  return { problem: { detail: error instanceof Error ? error.message : String(error) } };
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

function answer(outgoing: ServerResponse, status: number, type: string, content: string): void {
  outgoing.writeHead(status, { ...headers, 'Content-Type': `${type}; charset=utf-8` }).end(content);
}
