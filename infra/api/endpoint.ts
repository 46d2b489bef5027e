import type { TableUse } from '#infra/platform/service-function.ts';
import type { ConcurrencyGroup } from '#infra/settings/read-settings.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { RouteThrottling } from './client-limits.ts';

/** What a route's function needs besides tables; the stack knows how to give it. */
export type Need =
  | 'sign access tokens'
  | 'verify custodian notifications'
  | 'sign custodian notifications'
  | 'verify rail notifications'
  | 'sign rail notifications'
  | 'find transfers'
  | 'find payments'
  | 'order payments'
  | 'start verifications'
  | 'queue notified transfers'
  | 'put events on the bus'
  | 'put events of compliance on the bus'
  | 'know the networks'
  | 'know the custodian'
  | 'know the window'
  | 'know the late window'
  | 'know the payin rules'
  | 'encrypt webhook secrets'
  | 'decrypt webhook secrets'
  | 'queue deliveries'
  | 'queue replays'
  | 'know where webhooks may point';

export interface Endpoint {
  readonly contract: Contract;
  /** Further routes that its function serves, each by a contract of its own. */
  readonly alsoServes?: readonly Contract[];
  /** Folder below `functions`. */
  readonly folder: string;
  readonly tables: TableUse;
  readonly needs: readonly Need[];
  /** Its share of the account's concurrent calls is the one that the stage's settings keep for this group. */
  readonly concurrencyGroup?: ConcurrencyGroup;
  /** Where the stage's limit would take too much of what all routes share. */
  readonly throttling?: RouteThrottling;
  /** What its function's description says. */
  readonly impact: string;
}

/** Anybody may send what looks like a notification; providers send again what is refused for now. */
export const NOTIFICATIONS = { rate: 50, burst: 200 };
