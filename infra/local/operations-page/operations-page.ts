import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { OpsError } from '#infra/cli/ops-error.ts';
import { ask, type Service } from '#infra/cli/service.ts';
import { offRampOperatorRoutes } from '#infra/off-ramps/operator-routes.ts';
import { operationRoutes } from '#infra/operators/operation-routes.ts';
import { payInOperatorRoutes } from '#infra/pay-ins/operator-routes.ts';
import { webhookOperatorRoutes } from '#infra/webhooks/operator-routes.ts';
import { drawGraph } from './draw-graph.ts';
import { pageFiles } from './page-files.ts';
import { stateGraph } from './state-graph.ts';

interface Dependencies {
  /** The operators' API. */
  readonly service: Service;
  /** Of the state machine of verifications, in the Amazon States Language. */
  readonly definition: string;
  readonly port: number;
}

const DATA = '/operations/data/';

/** The page may look up money, and no personal data. */
const lookups = new Map(
  [...operationRoutes, ...offRampOperatorRoutes, ...payInOperatorRoutes, ...webhookOperatorRoutes]
    .filter(({ contract }) => contract.method === 'GET')
    .map(({ contract }) => [`${DATA}${contract.name}`, contract]),
);

/**
 * The page of operations, on this machine alone. It shows only what the operators' API answers, and calls it like the
 * command line. A browser here may have pages of other sites open: requests of another origin are refused.
 */
export async function createOperationsPage({ service, definition, port }: Dependencies): Promise<RequestListener> {
  const files = new Map(await pageFiles());
  const graph = JSON.stringify(drawGraph(stateGraph(definition)));
  files.set('/operations/graph.json', { type: 'application/json', content: graph });

  return (incoming, outgoing) => {
    const url = addressed(incoming, port);
    if (url === undefined) return answer(outgoing, 403, 'text/plain', 'This page is for this machine alone.\n');
    if (incoming.method !== 'GET') {
      outgoing.setHeader('Allow', 'GET');
      return answer(outgoing, 405, 'text/plain', 'This page is only read.\n');
    }
    const file = files.get(url.pathname);
    if (file !== undefined) return answer(outgoing, 200, file.type, file.content);
    const contract = lookups.get(url.pathname);
    if (contract === undefined) return answer(outgoing, 404, 'text/plain', 'There is nothing here.\n');
    const query = Object.fromEntries(url.searchParams);
    void ask(service, contract, { query })
      .then(({ body }) => ({ answer: body }), refusal)
      // Always 200: a browser logs other statuses to its console, which is for mistakes of the page itself.
      .then((said) => answer(outgoing, 200, 'application/json', JSON.stringify(said)));
  };
}

/** Whether a request names this machine: under any other name it may be DNS rebinding. */
function addressed({ headers: { host }, url = '/' }: IncomingMessage, port: number): URL | undefined {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].some((name) => host === `${name}:${port}`);
  return isHere && url.startsWith('/') ? new URL(`http://${host}${url}`) : undefined;
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
