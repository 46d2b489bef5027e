import type { TableName } from '#infra/stage/table-shapes.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { accountOf } from '../fits.ts';
import { attemptsOf, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/*
 * Upper bounds of costs, under any faults: more than one and a half times the maximum of 3,500 off-ramps of all kinds.
 * A mistake that causes work forever, or for each item of a growing list, exceeds them by far.
 */

/** Transitions of all executions of an attempt. Without faults a day's window takes at most 55; faults restart some. */
const TRANSITIONS = 250;

/** Look-ups of a hash per attempt, deposit, search and notification of it: each starts a series of polls. */
const QUESTIONS = 150;

/** Calls to the rail about one pay-in, which is open for 30 days at most. The maximum was 732, with hourly polls. */
const RAIL_CALLS = 1000;

/** Requests to the tables per reason, plus twice that number. The measured maximum was 14. */
const REQUESTS = 15;

/**
 * Reasons that one notice about an operation counts for: a payout that is reported too early is received twenty times,
 * and as often again after its dead letter is moved back.
 */
const NOTICE = 3;

/** Reasons per hour for a due deposit: while the queue has no consumer, the sweep sends a message every half hour. */
const MESSAGES = 2;

/** Reasons for a sending: polled each minute for an hour, then some sixty times until it is three times as old. */
const SENDING = 50;

/** Milliseconds. */
const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

/** Checks that nothing costs more than its limit. */
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

/** Returns the operation whose hash the call submits, or whose window the sandbox ends. */
function reportedIn(path: string): string | undefined {
  return /\/withdrawal\/([^/]+)\/hash$/.exec(path)?.[1] ?? /\/sandbox\/operations\/([^/]+)$/.exec(path)?.[1];
}

function checkQuestions({ ledger, truth, now }: Aftermath): void {
  const reasons = countOf([
    ...[...ledger.hashes.values()].flatMap((hashes) => [...hashes]),
    ...[...ledger.deposits.values(), ...ledger.searches.values()].map((deposit) => text(deposit, 'txHash')),
    ...truth.transfers.flatMap(({ facts, notifiedAt }) => notifiedAt.map(() => facts.txHash)),
  ]);
  // A deposit that is not final after two weeks is polled daily.
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

/** Every request to the tables has a reason: a call, a question, a notification or an attempt. */
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
  // A transfer to an operation's address is compared with it, even if its hash is not declared or funds another.
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
