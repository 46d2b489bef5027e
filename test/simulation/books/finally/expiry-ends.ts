import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { fits, isThere, STALE } from '../fits.ts';
import { has, instant, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Milliseconds. An expiry that fails at first is retried once an hour, by a sweep that runs once a minute. */
const TRIED_EACH = 3600_000;
const SWEPT_WITHIN = 2 * 60_000;

/** An unpaid off-ramp ends in time, and one whose deposit is on its way does not. */
export function checkExpiryEnds(aftermath: Aftermath): void {
  for (const operation of aftermath.ledger.operations.values()) {
    if (text(operation, 'endReason') === 'EXPIRED') checkExpired(operation, instant(operation, 'endedAt'), aftermath);
    if (text(operation, 'status') === 'AWAITING_DEPOSIT') checkWaiting(operation, aftermath);
  }
}

/** The custodian is asked for the reported hash right before the expiry. Deposits left to people do not count. */
function checkExpired(operation: Item, endedAt: number, { ledger, truth, skew }: Aftermath): void {
  const [id, txHash] = [text(operation, 'operationId'), text(operation, 'txHash')];
  const deposit = truth.transfers.find(
    (transfer) =>
      transfer.facts.txHash === txHash &&
      fits(operation, transfer.facts) &&
      isThere(transfer, endedAt - STALE - LONGEST_CALL - skew, endedAt + skew) &&
      !isLeftToPeople(ledger.deposits.get(transfer.facts.custodianTransferId)),
  );
  must('no off-ramp ends unpaid whose reported deposit is there', deposit === undefined, {
    id,
    custodianTransferId: deposit?.facts.custodianTransferId,
  });
}

const isLeftToPeople = (deposit: Item | undefined) => has(deposit, 'firstUnmatchedAt') || has(deposit, 'unmatched');

/** An off-ramp may only wait past its end while its hash is polled, or a transfer that fits was sent. */
function checkWaiting(operation: Item, { ledger, truth, now }: Aftermath): void {
  const [id, txHash] = [text(operation, 'operationId'), text(operation, 'txHash')];
  const endsAt = instant(operation, 'endsAt');
  const verification = ledger.verifications.get(id);
  if (!(endsAt < now) || has(verification, 'nextCheckAt')) return;
  const times = [instant(verification, 'lastCheckedAt'), instant(verification, 'windowStartsAt'), truth.quietSince];
  const free = Math.max(...times.filter((time) => !Number.isNaN(time)));
  const triedAt = endsAt + Math.max(0, Math.ceil((free - endsAt) / TRIED_EACH)) * TRIED_EACH;
  const mayCome = truth.transfers.some(({ facts }) => facts.txHash === txHash || fits(operation, facts));
  must('an off-ramp that nobody pays ends', mayCome || triedAt > now - SWEPT_WITHIN, { id, endsAt, triedAt });
}
