import * as z from 'zod/mini';
import type { Network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type Answer, BadRequest, ok, okText, problem, type Request, type Role, type User } from './answer.ts';
import { createAssets } from './assets.ts';
import { type CatalogueAsset, createCatalogue } from './catalogue.ts';
import { listTransactions } from './list-transactions.ts';
import { createOrders } from './orders.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { createTransactions, transactionEvents } from './transactions.ts';
import { createVaults, type VaultOptions } from './vaults.ts';

/** A fault of the next calls of a kind. */
export const fault = z.object({
  /** A name as in `calls()`; any call if absent. */
  kind: z.optional(z.string()),
  /** Number of calls; 1 if absent. */
  times: z.optional(z.int()),
  what: z.enum(['400', '429', '500', 'SLOW', 'MALFORMED', 'CUT_OFF', 'WRONG_CONTENT']),
  /** Seconds in the `Retry-After` header of a 429; without it there is no header. */
  retryAfter: z.optional(z.int()),
  /** Delay of SLOW. */
  milliseconds: z.optional(z.int()),
  /** Whether a call answered with 500 or WRONG_CONTENT is carried out all the same. */
  isCarriedOut: z.optional(z.boolean()),
});

export type Fault = z.output<typeof fault>;

/** A notification of a webhook: Fireblocks, documentation, Webhook notification structure. */
export interface WebhookNotification {
  readonly id: string;
  readonly eventType: string;
  /** The transaction. */
  readonly resourceId: string;
  /** The whole envelope in JSON. */
  readonly text: string;
}

export interface DoubleOptions extends VaultOptions {
  /** URL of the webhook, none if absent, and the events that its listing shows, all if absent. */
  readonly notifyUrl?: string;
  readonly events?: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** Doubles with the same seed make the same ids, addresses and hashes. */
  readonly seed?: string;
  /** Whether the catalogue has test networks. */
  readonly isTest?: boolean;
  readonly extraAssets?: readonly CatalogueAsset[];
  /** Confirmations at which a deposit is COMPLETED; 1 if absent, and always 1 on Base, Solana and Stellar. */
  readonly policies?: Partial<Readonly<Record<Network, number>>>;
  /** Most calls of a user to one endpoint per minute; no limit if absent. */
  readonly callsPerMinute?: number;
  /**
   * The content of the page headers of transactions: the cursor (ts-sdk 23, TransactionsApi.md), or the page's URL with
   * the cursor in it (api-spec-v2.yaml, headers). The vendor's two sources differ. Their support told an integrator in
   * July 2026 that lists with `orderBy` have no page headers.
   */
  readonly pageHeaders?: 'CURSOR' | 'URL' | 'NONE_IF_ORDERED';
  readonly notify?: (notification: WebhookNotification) => void;
  /** Called with the record of a new order to send. */
  readonly ordered?: (record: TransactionRecord) => void;
}

type Handle = (ids: readonly [string, string], request: { query: URLSearchParams; body: string }) => Answer;

interface Route {
  /** The name in `calls()`. */
  readonly kind: string;
  readonly segments: readonly string[];
  readonly roles: readonly Role[];
  readonly handle: Handle;
}

const admins: readonly Role[] = ['Non-Signing Admin'];
const editors: readonly Role[] = [...admins, 'Editor'];
const signers: readonly Role[] = [...editors, 'Signer'];
const viewers: readonly Role[] = [...signers, 'Viewer'];

const DAY = 24 * 3600 * 1000;
const MINUTE = 60_000;
const BURNT = "This operation doesn't support the usage of the same idempotency key after an internal error";

/** The API of one workspace, without network and without tokens. It uses the given clock and no randomness. */
export function createFireblocksDouble(options: DoubleOptions) {
  const { clock, seed = 'fireblocks', isTest = false, extraAssets = [], policies = {}, notify } = options;
  const catalogue = createCatalogue(isTest, extraAssets);
  const assets = createAssets(catalogue);
  const vaults = createVaults(seed, catalogue, options);
  let notifications = 0;
  const transactions = createTransactions({
    clock,
    seed,
    catalogue,
    vaults,
    policies,
    notify: (eventType, { id: resourceId, text }) => {
      if (notify === undefined) return;
      notifications += 1;
      const id = `00000000-0000-4000-9000-${notifications.toString(16).padStart(12, '0')}`;
      const named = { id, resourceId, webhookId: seed, workspaceId: seed, eventType, eventVersion: '1' };
      // The text says seconds, but every sample has milliseconds: Fireblocks, Webhook notification structure.
      const envelope = JSON.stringify({ ...named, createdAt: clock.now().getTime() });
      notify({ id, resourceId, eventType, text: `${envelope.slice(0, -1)},"data":${text}}` });
    },
  });

  const hasVault = (id: string) => vaults.all.some((vault) => vault.id === id);
  const orders = createOrders({ catalogue, hasVault, transactions, ordered: options.ordered ?? (() => undefined) });
  const pageOf = (query: URLSearchParams, cursor: string) => {
    if (options.pageHeaders === 'URL') return `https://api.fireblocks.io/v1/transactions?${query}`;
    return options.pageHeaders === 'NONE_IF_ORDERED' && query.has('orderBy') ? undefined : cursor;
  };
  const noTransaction = problem(404, 'Transaction not found', 1404);
  const transactionOf = (id: string) => {
    const found = transactions.get(id);
    return found === undefined ? noTransaction : okText(found.text);
  };
  const { events = transactionEvents } = options;
  const webhooks = [options.notifyUrl ?? []].flat().map((url) => ({ id: seed, url, status: 'ENABLED', events }));
  const handles: Readonly<Record<string, readonly [roles: readonly Role[], handle: Handle]>> = {
    'GET /v1/transactions': [
      viewers,
      (_, { query }) => listTransactions(transactions, query, clock.now().getTime(), pageOf),
    ],
    'POST /v1/transactions': [signers, (_, { body }) => orders.create(body)],
    'GET /v1/transactions/external_tx_id/:id': [viewers, ([id]) => orders.find(id)],
    'GET /v1/vault/assets': [viewers, orders.balances],
    'GET /v1/transactions/:id': [viewers, ([id]) => transactionOf(id)],
    'GET /v1/assets': [viewers, (_, { query }) => assets.listAssets(query)],
    'GET /v1/assets/:id': [viewers, ([id]) => assets.getAsset(id)],
    'GET /v1/blockchains': [viewers, (_, { query }) => assets.listBlockchains(query)],
    'GET /v1/blockchains/:id': [viewers, ([id]) => assets.getBlockchain(id)],
    'GET /v1/supported_assets': [signers, assets.listLegacy],
    'GET /v1/webhooks': [viewers, () => ok({ data: webhooks, next: null })],
    'POST /v1/vault/accounts': [editors, (_, { body }) => vaults.createVault(body)],
    'GET /v1/vault/accounts_paged': [viewers, (_, { query }) => vaults.listVaults(query)],
    'GET /v1/vault/accounts/:id': [viewers, ([id]) => vaults.getVault(id)],
    'GET /v1/vault/accounts/:id/:id': [viewers, (ids) => vaults.getWallet(...ids)],
    'POST /v1/vault/accounts/:id/:id': [editors, (ids) => vaults.createWallet(...ids)],
    'POST /v1/vault/accounts/:id/:id/activate': [editors, (ids) => vaults.startActivation(...ids)],
    'POST /v1/vault/accounts/:id/:id/addresses': [admins, (ids, { body }) => vaults.createAddress(...ids, body)],
    'GET /v1/vault/accounts/:id/:id/addresses_paginated': [
      viewers,
      (ids, { query }) => vaults.listAddresses(...ids, query),
    ],
  };
  const routes = Object.entries(handles).map(([kind, [roles, handle]]): Route => {
    return { kind, roles, handle, segments: kind.split(/[ /]+/) };
  });

  const calls = new Map<string, number>();
  const inMinute = new Map<string, { readonly minute: number; count: number }>();
  const kept = new Map<string, { readonly at: number; readonly answer: Answer }>();
  const faults: { -readonly [Name in keyof Fault]: Fault[Name] }[] = [];

  /** Returns the fault for this call, and counts it down. */
  function takeFault(kind: string): Fault | undefined {
    const index = faults.findIndex((one) => one.kind === undefined || one.kind === kind);
    const found = faults[index];
    if (found === undefined) return undefined;
    found.times = (found.times ?? 1) - 1;
    if (found.times <= 0) faults.splice(index, 1);
    return found;
  }

  function isOverLimit({ apiKey }: User, kind: string): boolean {
    if (options.callsPerMinute === undefined) return false;
    const minute = Math.floor(clock.now().getTime() / MINUTE);
    const name = `${apiKey} ${kind}`;
    const before = inMinute.get(name);
    const now = before?.minute === minute ? before : { minute, count: 0 };
    now.count += 1;
    inMinute.set(name, now);
    return now.count > options.callsPerMinute;
  }

  /** Does the work, or replays the answer for its idempotency key: 24 hours, POST only, at most 40 characters. */
  function once(user: User, request: Request, hasFailed: boolean, work: () => Answer): Answer {
    const key = request.method === 'POST' ? request.headers?.['idempotency-key'] : undefined;
    if (key === undefined) return work();
    if (key.length > 40) return problem(400, 'The Idempotency-Key has more than 40 characters', 1400);
    const name = `${user.apiKey} ${key}`;
    const [first, at] = [kept.get(name), clock.now().getTime()];
    if (first !== undefined && at - first.at < DAY) return first.answer;
    const answer = work();
    kept.set(name, { at, answer: hasFailed ? problem(400, BURNT, 1400) : answer });
    return answer;
  }

  /** Carries the call out unless its fault prevents that, and spoils the answer. */
  function meet(met: Fault | undefined, user: User, request: Request, work: () => Answer): Answer {
    if (met === undefined) return once(user, request, false, work);
    if (met.what === '429') return tooMany(met);
    if (met.what === '400') return problem(400, 'The destination address is invalid', 1427);
    const isPrevented = met.isCarriedOut !== true;
    if (met.what === 'WRONG_CONTENT' && isPrevented) return spoilt(okText(''), met);
    const hasFailed = met.what === '500';
    return spoilt(once(user, request, hasFailed, hasFailed && isPrevented ? () => unexpected : work), met);
  }

  function answer(user: User, request: Request): Answer {
    const { method, path, body = '' } = request;
    const [pathname = '', search = ''] = path.split('?');
    const parts = [method, ...pathname.split('/').slice(1)];
    const route = routes.find(({ segments }) => fits(segments, parts));
    calls.set(route?.kind ?? 'UNKNOWN', (calls.get(route?.kind ?? 'UNKNOWN') ?? 0) + 1);
    if (route === undefined) return problem(404, 'Not Found', 404);
    // The documentation gives only a word, no body: the code is made up.
    if (isOverLimit(user, route.kind)) return tooMany({ what: '429' });
    if (!route.roles.includes(user.role)) return problem(403, 'Forbidden', 403);
    const [one = '', other = ''] = parts.filter((_, place) => route.segments[place] === ':id').map(decodeURIComponent);
    const work = () => {
      try {
        return route.handle([one, other], { query: new URLSearchParams(search), body });
      } catch (error) {
        if (error instanceof BadRequest) return problem(400, error.message, 1400);
        throw error;
      }
    };
    return meet(takeFault(route.kind), user, request, work);
  }

  return {
    /** Answers a user whose token has been verified. */
    answer,
    /** Adds a fault. Faults of a kind occur in the order in which they were added. */
    fail: (one: Fault) => void faults.push({ ...one }),
    /** The number of calls, by `METHOD /path` with `:id` in place of ids. */
    calls: (): Readonly<Record<string, number>> => Object.fromEntries(calls),
    vaults: vaults.all,
    catalogue,
    activate: vaults.activate,
    deposit: transactions.deposit,
    confirm: transactions.confirm,
    change: transactions.change,
    /** The transaction id of an order, by its external id. */
    orderOf: orders.idOf,
    /** Freezes a deposit: the funds are in the wallet, and nobody can move them. */
    freeze: (id: string, subStatus: 'AUTO_FREEZE' | 'FROZEN_MANUALLY' | 'REJECTED_AML_SCREENING' = 'FROZEN_MANUALLY') =>
      transactions.change(id, { status: 'REJECTED', subStatus }),
    unfreeze: (id: string) => transactions.change(id, { status: 'COMPLETED' }),
    /** Drops a transaction from the chain, whatever its status. */
    reorganise: (txHash: string) =>
      transactions
        .recordsOf(txHash)
        .map(({ id }) => transactions.change(id, { status: 'FAILED', subStatus: 'DROPPED_BY_BLOCKCHAIN' })),
    transaction: transactions.get,
    transactionsOf: transactions.recordsOf,
  };
}

/** As quoted in github fireblocks/java-sdk, issue 114. */
const unexpected = problem(500, 'Unexpected error', 901);

export type FireblocksDouble = ReturnType<typeof createFireblocksDouble>;

function fits(segments: readonly string[], parts: readonly string[]): boolean {
  return (
    segments.length === parts.length &&
    segments.every((segment, place) => segment === parts[place] || (segment === ':id' && parts[place] !== ''))
  );
}

function tooMany({ retryAfter }: Fault): Answer {
  const answer = problem(429, 'RATE_LIMIT_REACHED', 429);
  return retryAfter === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } };
}

/** The answer with its fault. */
function spoilt(answer: Answer, { what, milliseconds = 0 }: Fault): Answer {
  if (what === '500') return unexpected;
  if (what === 'WRONG_CONTENT') {
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><body>Welcome</body></html>' };
  }
  if (what === 'MALFORMED') return { ...answer, body: answer.body.slice(0, -1) };
  return what === 'CUT_OFF' ? { ...answer, isCutOff: true } : { ...answer, delay: milliseconds };
}
