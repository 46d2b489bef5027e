import { textIn } from '../bodies.ts';
import { accountOf, isFinalFrom, ownerOf, STALE } from '../fits.ts';
import { instant, text } from '../items.ts';
import type { TrueCall, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';
import { normalised } from './search-ends.ts';

/** What a report of a hash is answered that is to be looked for: it is taken, it loses, or it is too late. */
const lookedFor = ['TX_HASH_ALREADY_DECLARED', 'OPERATION_NOT_AWAITING_DEPOSIT'];

/**
 * Money of which the service was told is on a record, whoever told it and however late. Of what it was not told it knows
 * nothing: that is only counted.
 *
 * @returns how many final transfers to our addresses are on no record
 */
export function checkUnseen(aftermath: Aftermath): number {
  const { ledger, truth, now } = aftermath;
  const reports = truth.calls.filter(isReport);
  let unseen = 0;
  for (const transfer of truth.transfers) {
    const { custodianTransferId: id, toAddress, isFromCustodian = false } = transfer.facts;
    const isMissing = ledger.accounts.has(accountOf(toAddress)) && !ledger.deposits.has(id);
    if (isFromCustodian || !isMissing || !isFinalFrom(transfer, now - LATE)) continue;
    const report = reports.find((call) => isOf(call, transfer, aftermath));
    must('money that was reported is on a record', report === undefined, { id, path: report?.path });
    unseen += 1;
  }
  return unseen;
}

function isReport({ method, path, answer }: TrueCall): boolean {
  if (method !== 'POST' || !path.endsWith('/hash') || answer === undefined) return false;
  return answer.status === 202 || (answer.status === 409 && lookedFor.includes(textIn(answer.body, 'code') ?? ''));
}

/** Hashes are looked for on the network of whoever reports them; one that is taken, for its own operation, as long as it is the declared one. */
function isOf({ path, body, answer }: TrueCall, { facts, phases }: TrueTransfer, { ledger }: Aftermath): boolean {
  const operation = ledger.operations.get(path.split('/').at(-2) ?? '');
  if (operation === undefined || text(operation, 'network') !== facts.network) return false;
  const isSame = normalised(textIn(body, 'txHash') ?? '') === facts.txHash;
  const windowEnd = instant(ledger.verifications.get(text(operation, 'operationId')), 'windowEndsAt') - STALE - 2000;
  const until = Math.min((answer?.at ?? 0) + LOOKED_FOR, answer?.status === 409 ? Number.POSITIVE_INFINITY : windowEnd);
  const isThere = (phases[0]?.at ?? 0) <= until;
  const isOwn = text(operation, 'txHash') === facts.txHash && ownerOf([operation], facts) !== undefined;
  return isSame && isThere && (answer?.status === 409 || isOwn);
}

/** Milliseconds. */
const LOOKED_FOR = 20 * 3600_000;
