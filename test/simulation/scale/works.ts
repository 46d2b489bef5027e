import * as events from '#functions/events/publish-overdue-changes/publish-overdue-changes.ts';
import * as depositBooks from '#functions/off-ramps/balance-deposits/balance-deposits.ts';
import * as expired from '#functions/off-ramps/end-expired-operations/end-expired-operations.ts';
import * as custodianLists from '#functions/off-ramps/reconcile-custodian/reconcile-custodian.ts';
import * as deposits from '#functions/off-ramps/release-due-deposits/release-due-deposits.ts';
import * as verifications from '#functions/off-ramps/restart-lost-verifications/restart-lost-verifications.ts';
import * as returns from '#functions/off-ramps/send-returns/send-returns.ts';
import * as paymentBooks from '#functions/pay-ins/balance-payments/balance-payments.ts';
import * as railLists from '#functions/pay-ins/reconcile-payments/reconcile-payments.ts';
import * as payins from '#functions/pay-ins/settle-open-payins/settle-open-payins.ts';
import * as deliveries from '#functions/webhooks/release-due-deliveries/release-due-deliveries.ts';
import { PAGE as CUSTODIAN_PAGE } from '#shared/off-ramps/custodians/fireblocks/fireblocks-custodian.ts';
import { PAGE_SIZE as RAIL_PAGE } from '#shared/pay-ins/rails/wompi/wompi-payments.ts';
import { REPEATED_DAYS } from '#shared/platform/books/keep-book.ts';
import { shards } from '#shared/platform/dynamodb/index-entries.ts';
import { ANSWERED_IN, LASTS } from '#test/simulation/cost/meter.ts';
import type { Kind, Load } from './load.ts';

const SHARDS = shards('ANY').length;
const DAY = 24 * 3600_000;

/** A custodian's call in calls of the SDK: its signature with a key of 4,096 bits takes 5 ms of a processor. */
const SIGNED = 5;

/** Sockets of the SDK. */
export const SOCKETS = 50;

/** A sweep's work each minute, if only the sweep did that work. */
interface Work {
  readonly folder: string;
  readonly kind: Kind;
  readonly atOnce: number;
  /** Seconds of each minute in which it begins work. */
  readonly runs: number;
  /** Units of work per off-ramp or pay-in. */
  readonly each: number;
  /** Milliseconds for which one unit waits for others. */
  readonly waits: number;
  /** Calls of the SDK per unit. */
  readonly calls: number;
  /** True if it reads the entries of each client, so that every client gets its turn. */
  readonly ofClients: boolean;
  /** Entries that it keeps in memory beside those. */
  readonly keeps?: number;
  readonly change: string;
}

const { GET, QUERY, BATCH_GET, WRITE, TRANSACTION } = ANSWERED_IN;
const { custodian, rail, queue, executions, bus } = LASTS;
const seconds = (milliseconds: number) => milliseconds / 1000;

export function worksOf({ units }: Load): readonly Work[] {
  return [
    {
      ...{ folder: 'pay-ins/settle-open-payins', kind: 'pay-ins', ofClients: true },
      ...{ atOnce: payins.POLLS_AT_ONCE, runs: payins.RUNS_FOR_SECONDS },
      each: units('pay-ins', 'asked rail.find pay-ins/settle-open-payins'),
      ...{ waits: rail + GET + WRITE, calls: 3 },
      change: 'more memory, which is more processor',
    },
    {
      ...{ folder: 'pay-ins/reconcile-payments', kind: 'pay-ins', ofClients: false },
      // A page of each week.
      ...{ atOnce: Math.floor(railLists.LISTED_FOR / railLists.WEEK) * RAIL_PAGE, runs: railLists.RUNS_FOR_SECONDS },
      // Includes the unneeded days of the first and the last week.
      each: (railLists.LISTED_FOR + railLists.WEEK) / DAY,
      // A page of 200 takes 6 ms to read (docs/performance.md) and two calls; one payment in ten is compared.
      ...{ waits: rail + GET, calls: (6 + 2) / RAIL_PAGE + 0.1 * 0.25 },
      change: 'more memory, which is more processor',
    },
    {
      ...{ folder: 'pay-ins/balance-payments', kind: 'pay-ins', ofClients: false },
      ...{ atOnce: RAIL_PAGE, runs: seconds(paymentBooks.RUNS_FOR) },
      // Each night again, and once on its own day.
      each: REPEATED_DAYS + 1,
      ...{ waits: rail + WRITE + 2 * BATCH_GET, calls: 0.25 },
      change: 'a whole processor',
    },
    {
      ...{ folder: 'off-ramps/release-due-deposits', kind: 'off-ramps', ofClients: true },
      ...{ atOnce: SHARDS + deposits.SEARCHES_AT_ONCE, runs: seconds(deposits.RUNS_FOR) },
      each: units('off-ramps', 'call off-ramps/match-deposit'),
      ...{ waits: WRITE + queue, calls: 2 },
      change: 'a second function for half of the shards',
    },
    {
      ...{ folder: 'off-ramps/restart-lost-verifications', kind: 'off-ramps', ofClients: true },
      ...{ atOnce: verifications.RESTARTS_AT_ONCE, runs: verifications.RUNS_FOR_SECONDS },
      each: 1,
      ...{ waits: QUERY + WRITE + 2 * executions, calls: 4 },
      change: 'RESTARTS_AT_ONCE, with more memory',
    },
    {
      ...{ folder: 'off-ramps/end-expired-operations', kind: 'off-ramps', ofClients: true },
      ...{ atOnce: expired.ENDS_AT_ONCE, runs: seconds(expired.RUNS_FOR) },
      each: 1,
      ...{ waits: QUERY + custodian + TRANSACTION, calls: 3 + SIGNED },
      change: 'more memory, which is more processor',
    },
    {
      ...{ folder: 'off-ramps/reconcile-custodian', kind: 'off-ramps', ofClients: false },
      ...{ atOnce: CUSTODIAN_PAGE, runs: seconds(custodianLists.RUNS_FOR) },
      // Lists overlap by an hour.
      each: 2,
      ...{ waits: custodian + WRITE + (CUSTODIAN_PAGE / custodianLists.AT_ONCE) * (GET + WRITE), calls: 2 },
      change: 'a whole processor',
    },
    {
      ...{ folder: 'off-ramps/balance-deposits', kind: 'off-ramps', ofClients: false },
      ...{ atOnce: 1, runs: seconds(depositBooks.RUNS_FOR) },
      each: REPEATED_DAYS + 1,
      // docs/performance.md: 10,000 in 21 seconds.
      ...{ waits: 2.1, calls: 0 },
      change: 'more memory, which is more processor',
    },
    {
      ...{ folder: 'off-ramps/send-returns', kind: 'off-ramps', ofClients: false },
      ...{ atOnce: returns.AT_ONCE, runs: seconds(returns.RUNS_FOR) },
      // One deposit in twenty is returned, in three steps.
      each: 3 / 20,
      ...{ waits: GET + custodian + TRANSACTION, calls: 3 + SIGNED },
      change: 'AT_ONCE of send-returns.ts',
    },
    {
      ...{ folder: 'webhooks/release-due-deliveries', kind: 'off-ramps', ofClients: true },
      ...{ atOnce: deliveries.AT_ONCE, runs: deliveries.RELEASE_SECONDS, keeps: deliveries.MOST_HELD_DELIVERIES },
      each: units('off-ramps', 'call webhooks/deliver-webhook'),
      ...{ waits: WRITE + queue, calls: 2 },
      change: 'a second function for half of the clients',
    },
    {
      ...{ folder: 'events/publish-overdue-changes', kind: 'off-ramps', ofClients: false },
      ...{ atOnce: SHARDS * events.BATCH, runs: events.RUNS_FOR_SECONDS },
      each: units('off-ramps', 'event'),
      ...{ waits: GET + bus + WRITE, calls: 2.1 },
      change: 'a second function for half of the shards',
    },
  ];
}
