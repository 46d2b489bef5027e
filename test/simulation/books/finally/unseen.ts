import { accountOf } from '../fits.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Milliseconds between two lists of the custodian. */
const HOUR = 3600_000;

/**
 * Whatever was sent to an account of ours is on a record an hour after the custodian lists it, in whatever state, and
 * although nobody told of it.
 */
export function checkUnseen({ ledger, truth, now }: Aftermath): void {
  for (const { facts, phases } of truth.transfers) {
    const { custodianTransferId: id, toAddress } = facts;
    const listedAt = phases[0]?.at ?? Number.POSITIVE_INFINITY;
    if (!ledger.accounts.has(accountOf(toAddress)) || listedAt > now - HOUR - LATE) continue;
    must('what the custodian lists is on a record', ledger.deposits.has(id), { id });
  }
}
