import { inject } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { type Call, connect } from '#sdk/connect.ts';
import type { Fetch } from '#sdk/send.ts';
import { differenceFromContract } from './openapi.ts';

const { baseUrl } = inject('outputs');

/** The `fetch` of every system test. An answer that differs from `openapi.json` fails the test. */
export const checkedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const [method, path] = [init.method ?? 'GET', url.replace(baseUrl, '')];
  const difference = differenceFromContract(method, path, { status, headers, text: await response.clone().text() });
  if (difference === '') return response;
  throw new Error(`${method} ${path} answered ${status}, not as openapi.json says. ${difference}`);
};

const connections = new Map<string, Call>();

/** The typed client, connected as one of the demo clients. */
export function connectedAs(client: DemoClient): Call {
  const call = connections.get(client.clientId) ?? connect({ baseUrl, credentials: client, fetch: checkedFetch });
  connections.set(client.clientId, call);
  return call;
}
