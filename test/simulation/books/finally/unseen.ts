import { accountOf } from '../fits.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Milliseconds between two reads of the custodian's list. */
const HOUR = 3600_000;

/**
 * Every transfer to an account of the service is recorded within an hour of its listing by the custodian, in any state
 * and without a notification.
 */
export function checkUnseen({ ledger, truth, now }: Aftermath): void {
  for (const { facts, phases } of truth.transfers) {
    const { custodianTransferId: id, toAddress } = facts;
    const listedAt = phases[0]?.at ?? Number.POSITIVE_INFINITY;
    if (!ledger.accounts.has(accountOf(toAddress)) || listedAt > now - HOUR - LATE) continue;
    must('what the custodian lists is on a record', ledger.deposits.has(id), { id });
  }
}
