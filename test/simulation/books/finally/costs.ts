import type { TableName } from '#infra/stage/table-shapes.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { accountOf } from '../fits.ts';
import { attemptsOf, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/*
 * What things may cost, whatever fails: measured in 3,500 off-ramps of all kinds, with all faults, and more than half as
 * much again. A mistake that makes work for ever, or for each item of a growing list, is far beyond that.
 */

/** Transitions of all executions of an attempt. Without faults a window of a day takes 55 at most; faults begin some again. */
const TRANSITIONS = 250;

/** Questions to the custodian for one hash, for each attempt, deposit, search and notification of it: each begins a row of polls. */
const QUESTIONS = 150;

/** Questions to the rail about one pay-in, which is open for 30 days at most. The most was 732, when they were asked hourly. */
const RAIL_CALLS = 1000;

/** Requests to the tables for each reason that somebody gives for them, and twice that besides. The most was 14. */
const REQUESTS = 15;

/**
 * Reasons that what another service says of an operation is worth: a payout that is told too early is received twenty times,
 * and as often again once its dead letter is moved back.
 */
const NOTICE = 3;

/** Reasons an hour for a deposit that is due: while nobody reads the queue, the sweep sends a message every half hour. */
const MESSAGES = 2;

/** Reasons for a sending: it is asked for each minute in its first hour, and then some sixty times until it is three times as old. */
const SENDING = 50;

/** Milliseconds. */
const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

/** Nothing costs more than it may. */
export function checkCosts(aftermath: Aftermath): void {
  checkAttempts(aftermath);
  checkQuestions(aftermath);
  if (!aftermath.remains.tablesRefused) checkRequests(aftermath);
}

function checkAttempts({ ledger, remains, truth }: Aftermath): void {
  const ofAttempt = Map.groupBy(remains.executions, ({ name }) => name.split('-').slice(0, 6).join('-'));
  for (const [attempt, executions] of ofAttempt) {
    const transitions = executions.reduce((sum, execution) => sum + execution.transitions, 0);
    must('an attempt costs so many transitions at most', transitions <= TRANSITIONS, { attempt, transitions });
    const failed = executions.filter(({ status }) => status === 'FAILED').length;
    must('an attempt runs again only after it broke off', executions.length <= failed + 1, { attempt, failed });
  }
  const reports = Map.groupBy(truth.calls, ({ path }) => reportedIn(path));
  for (const [id, operation] of ledger.operations) {
    const [attempts, submissions] = [number(operation, 'attempt'), reports.get(id)?.length ?? 0];
    must('only a submission begins an attempt', attempts <= submissions, { id, attempts, submissions });
  }
}

/** The operation for which a hash is submitted, or whose window the sandbox ends. */
function reportedIn(path: string): string | undefined {
  return /\/withdrawal\/([^/]+)\/hash$/.exec(path)?.[1] ?? /\/sandbox\/operations\/([^/]+)$/.exec(path)?.[1];
}

function checkQuestions({ ledger, truth, now }: Aftermath): void {
  const reasons = countOf([
    ...[...ledger.hashes.values()].flatMap((hashes) => [...hashes]),
    ...[...ledger.deposits.values(), ...ledger.searches.values()].map((deposit) => text(deposit, 'txHash')),
    ...truth.transfers.flatMap(({ facts, notifiedAt }) => notifiedAt.map(() => facts.txHash)),
  ]);
  // What is still not final after two weeks is asked for daily.
  const daily = countOf(
    [...ledger.deposits.values()].flatMap((deposit) => {
      const days = Math.floor((now - instant(deposit, 'firstNotifiedAt')) / DAY);
      return Array.from({ length: Math.max(0, days) }, () => text(deposit, 'txHash'));
    }),
  );
  for (const [hash, questions] of truth.custodianCalls) {
    const most = QUESTIONS * (reasons.get(hash) ?? 0) + (daily.get(hash) ?? 0);
    must('the custodian is asked so often for a hash at most', questions <= most, { hash, questions, most });
  }
  for (const [id, questions] of truth.railCalls) {
    must('the rail is asked so often for a pay-in at most', questions <= RAIL_CALLS, { id, questions });
  }
}

/** The tables are asked for a reason: somebody called, was asked, or told the service something; an attempt was made. */
function checkRequests({ ledger, requests, truth, now }: Aftermath): void {
  const named = countOf([
    ...truth.calls.flatMap(({ path }) => path.split('/')),
    ...truth.notices.flatMap(({ detail }) => Array.from({ length: NOTICE }, () => String(detail['operationId']))),
    ...truth.transfers.flatMap(({ facts, notifiedAt }) => notifiedAt.map(() => facts.custodianTransferId)),
  ]);
  const check = (table: TableName, id: string, reasons: number) => {
    const [made, most] = [requests.of(table, id), REQUESTS * (2 + reasons + (named.get(id) ?? 0))];
    must('the tables are asked so often for one thing at most', made <= most, { table, id, made, most });
  };
  const questions = (hashes: Iterable<string>) =>
    [...new Set(hashes)].reduce((sum, hash) => sum + (truth.custodianCalls.get(hash) ?? 0), 0);
  // Whatever is sent to an operation is held against it, although nobody declared its hash, or it funds another.
  const sentTo = Map.groupBy(truth.transfers, ({ facts }) => accountOf(facts.toAddress));
  for (const [id, operation] of ledger.operations) {
    const sent = sentTo.get(accountOf(text(operation, 'address'))) ?? [];
    const hashes = [...(ledger.hashes.get(id) ?? []), ...sent.map(({ facts }) => facts.txHash)];
    check('operations', id, questions([...hashes, text(operation, 'verifiedTxHash')]));
  }
  for (const [id, deposit] of ledger.deposits) {
    const hours = Math.floor((now - instant(deposit, 'firstNotifiedAt')) / HOUR);
    const sendings = truth.sendings.filter(({ depositId }) => depositId === depositIdOf(id)).length;
    check('deposits', id, questions([text(deposit, 'txHash')]) + MESSAGES * hours + SENDING * sendings);
  }
  for (const id of ledger.payins.keys()) check('payins', id, truth.railCalls.get(id) ?? 0);
  for (const [id, delivery] of ledger.deliveries) check('deliveries', id, attemptsOf(delivery).length);
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
