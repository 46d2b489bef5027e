import type { ConcurrencyGroup } from '#infra/stage/settings.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import type { CostlyCall } from '#shared/clients/daily-allowances.ts';
import type { Contract } from '#shared/platform/http/contract.ts';

/** Requests per second, and in a burst. */
export interface Throttling {
  readonly rate: number;
  readonly burst: number;
}

/** The limits of a single route. */
export interface RouteThrottling {
  /** For all callers together; the stage's limit of every route when not given. */
  readonly all?: Throttling;
  /** For each client, where the route needs an access token. */
  readonly perClient?: Throttling;
}

/** What a route's function may do besides using tables; the stack knows how to allow it. */
export type Permission =
  | 'sign access tokens'
  | 'verify custodian notifications'
  | 'sign custodian notifications'
  | 'verify rail notifications'
  | 'sign rail notifications'
  | 'find transfers'
  | 'find what left'
  | 'list movements'
  | 'assign deposit addresses'
  | 'find payments'
  | 'order payments'
  | 'start verifications'
  | 'queue notified transfers'
  | 'put events on the bus'
  | 'put events of compliance on the bus'
  | 'make keys of clients'
  | 'encrypt webhook secrets'
  | 'decrypt webhook secrets'
  | 'queue deliveries'
  | 'queue replays';

/** One call of a route, as the published document shows it. */
export interface Example {
  /** Body of the request; absent where there is none. */
  readonly request?: unknown;
  /** Body of the success, where it has one. */
  readonly answer?: unknown;
  /** A note for developers, beyond the summary and the schemas. */
  readonly remark?: string;
}

/** A route as its module declares it, without what follows from its contract. */
export interface Route {
  readonly contract: Contract;
  /** Further routes that its function serves, each by a contract of its own. */
  readonly alsoServes?: readonly Contract[];
  /** Actions of its use case on tables. Those of its guard and of its idempotency follow from the contract. */
  readonly tables?: TableUse;
  readonly permissions?: readonly Permission[];
  /** The daily limit of a client that its calls count against. */
  readonly countsAs?: CostlyCall;
  /** Environment variables of its function, besides those of its tables and permissions. */
  readonly environment?: (stage: Stage) => Readonly<Record<string, string>>;
  /** A policy in the stack of the data names the role of its function. */
  readonly isNamedByPolicy?: true;
  /** The group whose reserved concurrency, in the stage's settings, its function gets. */
  readonly concurrencyGroup?: ConcurrencyGroup;
  /** Values of its last path parameter that have a path, and so a limit, of their own: API Gateway limits paths. */
  readonly ownPaths?: (stage: Stage) => readonly string[];
  /** Callers reach the version of its function that is live, where the stage has versions. */
  readonly hasVersions?: true;
  /** Limits where the stage's own would let one caller take too much, or a single client cost too much. */
  readonly throttling?: RouteThrottling | ((stage: Stage) => RouteThrottling);
  /** Memory of its function; 512 when not given. */
  readonly memoryMegabytes?: number;
  /** The impact in the function's description. */
  readonly impact: string;
  /** Absent where the published document leaves the route out. */
  readonly example?: Example;
}

/** A route, with the folder and all tables of its function. */
export interface Endpoint extends Route {
  /** Folder below `functions`. */
  readonly folder: string;
  /** All actions of its function on tables. */
  readonly tables: TableUse;
}

export function moduleEndpoints(module: string, routes: readonly Route[]): readonly Endpoint[] {
  return routes.map((route) => ({ ...route, folder: `${module}/${route.contract.name}`, tables: tablesOf(route) }));
}

/** The contract as a stage serves it. */
export function servedContract(stage: Stage, { contract, ownPaths }: Route): Contract {
  if (ownPaths === undefined) return contract;
  const below = contract.path.slice('/api/'.length);
  const paths = ownPaths(stage).map((value) => `/api/${below.replace(/\{\w+\}$/, value)}` as const);
  return { ...contract, aliases: [...(contract.aliases ?? []), ...paths] };
}

/** Adds what follows from the contract: calls read the approval, store answers under keys, and count if costly. */
function tablesOf({ contract: { access, idempotent }, countsAs, tables = {} }: Route): TableUse {
  return {
    ...tables,
    ...(access === 'approved-client' && { clients: [...new Set([...(tables.clients ?? []), 'GetItem' as const])] }),
    ...(idempotent && { idempotency: ['UpdateItem', 'DeleteItem'] }),
    ...(countsAs && { allowances: ['UpdateItem'] }),
  };
}

/**
 * The limits of a call that costs more than its answer: each such route has its own rate per client (decisions.md 10,
 * Rates of costly calls).
 */
export const costlyCallLimits = ({ costlyCalls }: Stage) => ({ perClient: costlyCalls });

/** The limits of a list, of which a call may read 300 records. */
export const LIST_LIMITS = { perClient: { rate: 5, burst: 25 } };

/**
 * The limits of each provider. Ten off-ramps a second take 50, five of each transfer (docs/scale.md). Anybody may send
 * fake ones, and the limit leaves room beside all that one computer sends. On AWS the web ACL admits only providers.
 */
export const NOTIFICATION_LIMITS = { all: { rate: 500, burst: 1000 } };
