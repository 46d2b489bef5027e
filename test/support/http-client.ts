import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { base58 } from '@scure/base';
import { inject } from 'vitest';
import type * as z from 'zod/mini';
import { problem } from '#infra/api/openapi/problem.ts';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import type { Call } from '#sdk/connect.ts';
import type { Schemas } from '#sdk/generated.ts';
import type { AnswerOf, RequestOf } from '#sdk/routes.ts';
import type { Network } from '#shared/networks/network.ts';
import { submitOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { checkedFetch, connectedAs } from './connected.ts';
import { eventually } from './eventually.ts';

/** The system under test, over HTTP, as a client's developer sees it. */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Operation = Schemas.Operation;
export type HashRead = Schemas.OffRampHash;
type Deposit = RequestOf<'POST /api/sandbox/deposits'>['body'];

/** Sends a call as it is, which the typed client would not send, or would repeat. */
export async function send(method: string, path: string, init: Omit<RequestInit, 'method'> = {}): Promise<HttpAnswer> {
  const response = await checkedFetch(`${inject('outputs').baseUrl}${path}`, { ...init, method });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function problemOf(answer: HttpAnswer): z.infer<typeof problem> {
  return problem.parse(JSON.parse(answer.text));
}

export function demoClient(name: string): DemoClient {
  const client = inject('outputs').clients.find((one) => one.name === name);
  if (client === undefined) throw new Error(`There is no demo client ${name}.`);
  return client;
}

/** Milliseconds: less than an access token is valid, because a file of tests may run longer on a busy machine. */
const TOKEN_KEPT = 4 * 60_000;

const tokens = new Map<string, { readonly token: Promise<string>; readonly requestedAt: number }>();

export function accessToken(client: DemoClient): Promise<string> {
  const known = tokens.get(client.clientId);
  if (known !== undefined && Date.now() - known.requestedAt < TOKEN_KEPT) return known.token;
  const token = requestToken(client);
  tokens.set(client.clientId, { token, requestedAt: Date.now() });
  return token;
}

async function requestToken(client: DemoClient): Promise<string> {
  const body = { client_id: client.clientId, client_secret: client.clientSecret };
  return (await connectedAs(client)('POST /api/v1/client/token', { body })).body.access_token;
}

/** Repeats a call that was refused as too fast, as the typed client does: all tests share one limit. */
export async function callAs(...call: Parameters<typeof callOnceAs>): Promise<HttpAnswer> {
  const answer = await callOnceAs(...call);
  if (answer.status !== 429) return answer;
  await sleep(Number(answer.headers.get('retry-after')) * 1000);
  return callAs(...call);
}

export async function callOnceAs(
  client: DemoClient,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return send(method, path, {
    headers: {
      Authorization: `Bearer ${await accessToken(client)}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
  });
}

export function withdrawalPath(userId: string): string {
  return createWithdrawalContract.path.replace('{user_id}', userId);
}

export function hashPath(userId: string, operationId: string): string {
  return submitOfframpHashContract.path.replace('{user_id}', userId).replace('{operation_id}', operationId);
}

const SUBMIT = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';

/** A user of an approved client with an off-ramp of one network: what most tests begin with. */
export class OffRampUser {
  readonly client: DemoClient;
  readonly call: Call;
  readonly userId: string;
  readonly wallet: { readonly id: string; readonly network: Network; readonly address: string };
  readonly tokenId: number;
  readonly token: string;

  constructor(network: Network = 'POLYGON', client: DemoClient | string = 'demo') {
    this.client = typeof client === 'string' ? demoClient(client) : client;
    this.call = connectedAs(this.client);
    const user = this.client.users[0];
    const wallet = user?.externalWallets.find((one) => one.network === network);
    const token = inject('outputs').tokens.find(({ networks }) => networks.includes(network));
    if (user === undefined || wallet === undefined || token === undefined)
      throw new Error(`No demo data on ${network}.`);
    this.userId = user.userId;
    this.wallet = wallet;
    this.tokenId = token.id;
    this.token = token.token;
  }

  /** Order of a withdrawal with everything it needs. */
  order(amount = '250.5') {
    return { originExternalWalletId: this.wallet.id, supportedTokenId: this.tokenId, amount };
  }

  async create(amount = '250.5'): Promise<Operation> {
    const request = { path: { user_id: this.userId }, body: this.order(amount) };
    return (await this.call('POST /api/v1/admin/operation/{user_id}/withdrawal', request)).body.operation;
  }

  submit(operationId: string, txHash: string): Promise<AnswerOf<typeof SUBMIT>> {
    return this.call(SUBMIT, { path: { user_id: this.userId, operation_id: operationId }, body: { txHash } });
  }

  /** Submits any value as a hash, which may be refused, without a repeat. */
  submitAsIs(operationId: string, txHash: unknown): Promise<HttpAnswer> {
    return callAs(this.client, 'POST', hashPath(this.userId, operationId), { txHash });
  }

  async read(operationId: string): Promise<HashRead> {
    const path = { user_id: this.userId, operation_id: operationId };
    return (await this.call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path })).body;
  }

  readUntil(operationId: string, holds: (hash: HashRead) => boolean, withinSeconds?: number): Promise<HashRead> {
    return eventually(() => this.read(operationId), holds, withinSeconds);
  }

  /** Puts the deposit that the operation awaits on the simulated chain; `otherwise` changes its fields. */
  async deposit(operation: Operation, txHash: string, otherwise: Partial<Deposit> = {}): Promise<void> {
    const deposit: Deposit = {
      network: operation.network,
      txHash,
      fromAddress: this.wallet.address,
      toAddress: operation.address,
      ...(operation.addressTag !== undefined && { addressTag: operation.addressTag }),
      token: operation.token,
      amount: operation.amount,
      state: 'CONFIRMED',
      ...otherwise,
    };
    await this.call('POST /api/sandbox/deposits', { body: deposit });
  }
}

/** A hash in the network's format that nobody has used. */
export function newHash(network: Network = 'POLYGON'): string {
  switch (network) {
    case 'TRON':
    case 'STELLAR':
      return randomBytes(32).toString('hex');
    case 'SOLANA':
      return base58.encode(randomBytes(64));
    case 'SUI':
      return base58.encode(randomBytes(32));
    default:
      return `0x${randomBytes(32).toString('hex')}`;
  }
}
