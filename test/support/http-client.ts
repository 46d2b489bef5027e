import { randomBytes } from 'node:crypto';
import { base58 } from '@scure/base';
import { inject } from 'vitest';
import type * as z from 'zod/mini';
import type { DemoClient } from '#infra/local/demo-data.ts';
import { createWithdrawal } from '#shared/contracts/create-withdrawal.ts';
import { getOfframpHash, submitOfframpHash } from '#shared/contracts/offramp-hash.ts';
import type { operation } from '#shared/contracts/operation.ts';
import { problem } from '#shared/contracts/problem.ts';
import { simulateDeposit } from '#shared/contracts/sandbox.ts';
import { issueToken } from '#shared/contracts/token.ts';
import type { Network } from '#shared/domain/network.ts';
import { eventually } from './eventually.ts';
import { differenceFromContract } from './openapi.ts';

/** The system under test, over HTTP, as a client's developer sees it. */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Operation = z.infer<typeof operation>;
export type HashRead = z.infer<typeof getOfframpHash.success.body>;
type Deposit = z.infer<typeof simulateDeposit.body>;

/** Every call of a system test. An answer that is not as `openapi.json` says fails the test. */
export async function send(method: string, path: string, init: Omit<RequestInit, 'method'> = {}): Promise<HttpAnswer> {
  const response = await fetch(`${inject('outputs').baseUrl}${path}`, { ...init, method });
  const { status, headers } = response;
  const answer = { status, headers, text: await response.text() };
  const difference = differenceFromContract(method, path, answer);
  if (difference === '') return answer;
  throw new Error(`${method} ${path} answered ${status}, not as openapi.json says. ${difference}`);
}

export function problemOf(answer: HttpAnswer): z.infer<typeof problem> {
  return problem.parse(JSON.parse(answer.text));
}

export function demoClient(name: string): DemoClient {
  const client = inject('outputs').clients.find((one) => one.name === name);
  if (client === undefined) throw new Error(`There is no demo client ${name}.`);
  return client;
}

const tokens = new Map<string, Promise<string>>();

export function accessToken(client: DemoClient): Promise<string> {
  const known = tokens.get(client.clientId) ?? requestToken(client);
  tokens.set(client.clientId, known);
  return known;
}

async function requestToken({ clientId, clientSecret }: DemoClient): Promise<string> {
  const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  const answer = await send('POST', issueToken.path, { body, headers: { 'Content-Type': 'application/json' } });
  return issueToken.success.body.parse(JSON.parse(answer.text)).access_token;
}

export async function callAs(
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
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

export function withdrawalPath(userId: string): string {
  return createWithdrawal.path.replace('{user_id}', userId);
}

export function hashPath(userId: string, operationId: string): string {
  return submitOfframpHash.path.replace('{user_id}', userId).replace('{operation_id}', operationId);
}

/** A user of an approved client with an off-ramp of one network: what most tests begin with. */
export class OffRampUser {
  readonly client: DemoClient;
  readonly userId: string;
  readonly wallet: { readonly id: string; readonly network: Network; readonly address: string };
  readonly tokenId: number;
  readonly token: string;

  constructor(network: Network = 'POLYGON', clientName = 'demo') {
    this.client = demoClient(clientName);
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
  order(amount: string | number = '250.5') {
    return { originExternalWalletId: this.wallet.id, supportedTokenId: this.tokenId, amount };
  }

  async create(amount: string | number = '250.5'): Promise<Operation> {
    const answer = await callAs(this.client, 'POST', withdrawalPath(this.userId), this.order(amount));
    return createWithdrawal.success.body.parse(JSON.parse(answer.text)).operation;
  }

  submit(operationId: string, txHash: unknown): Promise<HttpAnswer> {
    return callAs(this.client, 'POST', hashPath(this.userId, operationId), { txHash });
  }

  async read(operationId: string): Promise<HashRead> {
    const answer = await callAs(this.client, 'GET', hashPath(this.userId, operationId));
    return getOfframpHash.success.body.parse(JSON.parse(answer.text));
  }

  readUntil(operationId: string, holds: (hash: HashRead) => boolean): Promise<HashRead> {
    return eventually(() => this.read(operationId), holds);
  }

  /** Puts the deposit that the operation awaits on the simulated chain, but for what is said otherwise. */
  async deposit(operation: Operation, txHash: string, otherwise: Partial<Deposit> = {}): Promise<void> {
    const deposit: Deposit = {
      network: operation.network,
      txHash,
      fromAddress: this.wallet.address,
      toAddress: operation.address,
      token: operation.token,
      amount: operation.amount,
      state: 'CONFIRMED',
      ...otherwise,
    };
    const answer = await callAs(this.client, 'POST', simulateDeposit.path, deposit);
    if (answer.status !== 202) throw new Error(`The deposit was not put there: ${answer.text}`);
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
