import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { expiry, has, number, text } from '../items.ts';
import { type Kind, kindOf } from '../kinds.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';
import { checkBook } from './book-rules.ts';
import { checkClaim, checkClaimsOf } from './claim-rules.ts';
import { checkDelivery } from './delivery-rules.ts';
import { checkDeposit, checkSearch } from './deposit-rules.ts';
import { checkEvent, checkEventsOf } from './event-rules.ts';
import { checkIdempotency } from './idempotency-rules.ts';
import { checkOperation } from './operation-rules.ts';
import { checkEventOwnership, checkOwnership } from './ownership-rules.ts';
import { checkListPass, checkPayin, checkTransferClaim } from './pay-in-rules.ts';
import { checkOwner, checkProposal, checkUser } from './person-rules.ts';
import { checkSlot } from './slot-rules.ts';
import { checkVerification, checkVerificationOf } from './verification-rules.ts';
import { checkActiveCount, checkClient, checkHealth, checkWebhook, checkWebhookCount } from './webhook-rules.ts';

/** The rules for a write of each kind of item. */
const rules: Readonly<Record<Kind, (change: Change, written: Written) => void>> = {
  OPERATION: lasting(both(checkOperation, checkOwner)),
  VERIFICATION: lasting(checkVerification),
  CLAIM: checkClaim,
  DEPOSIT: lasting(checkDeposit),
  SEARCH: checkSearch,
  PAYIN: lasting(both(checkPayin, checkOwner)),
  TRANSFER_CLAIM: lasting(checkTransferClaim),
  LIST_PASS: lasting(checkListPass),
  EVENT: checkEvent,
  DELIVERY: checkDelivery,
  WEBHOOK: checkWebhook,
  WEBHOOK_COUNT: lasting(checkWebhookCount),
  ACTIVE_COUNT: lasting(checkActiveCount),
  HEALTH: checkHealth,
  SLOT: checkSlot,
  IDEMPOTENCY: checkIdempotency,
  CLIENT: lasting(checkClient),
  AUDIT: checkAudit,
  BOOK: checkBook,
  USER: checkUser,
  PROPOSAL: checkProposal,
  COUNT: () => {},
  OTHER: () => {},
};

/** Tables whose items are written together. */
const ofMoney = ['operations', 'hashes', 'deposits', 'payins', 'clients', 'events'];

/**
 * Checks what one transaction can break: each item that it wrote, and the agreement of these items.
 *
 * @throws {Violation}
 */
export function checkWrite(written: Written): void {
  for (const change of written.transaction) {
    checkOwnership(change, written);
    rules[kindOf(change)](change, written);
    checkExpiry(change, written);
  }
  if (!written.transaction.some(({ table }) => ofMoney.includes(table))) return;
  checkEventsOf(written);
  checkEventOwnership(written);
  for (const operation of touched(written)) {
    checkClaimsOf(operation, written);
    checkVerificationOf(operation, written);
  }
}

/** An audit line never changes. */
function checkAudit({ key, before }: Change): void {
  must('what is in the audit stays as it is', before === undefined, { key });
}

/** Milliseconds: longer than any retention period. */
const LONGEST_KEPT = 20 * 365 * 24 * 3600 * 1000;

function checkExpiry({ table, key, after }: Change, { now }: Written): void {
  const isSome = !has(after, 'expiresAt') || number(after, 'expiresAt') === 0 || expiry(after) < now + LONGEST_KEPT;
  must('what is kept for a time goes when that is over', isSome, { table, key, expiresAt: after?.['expiresAt']?.N });
}

type Check = (revision: Revision, written: Written) => void;

function both(...checks: readonly Check[]): Check {
  return (revision, written) => {
    for (const check of checks) check(revision, written);
  };
}

function lasting(check: (revision: Revision, written: Written) => void) {
  return ({ table, key, before, after }: Change, written: Written): void => {
    must('what money is about is kept for ever', after !== undefined, { table, key });
    if (after !== undefined) check({ before, after }, written);
  };
}

/** Returns the operations that the transaction wrote, or whose claims, verification or deposit it wrote. */
function touched({ transaction, ledger }: Written): ReadonlySet<Item> {
  const operations = new Set<Item>();
  for (const { table, before, after } of transaction) {
    if (table !== 'operations' && table !== 'hashes' && table !== 'deposits') continue;
    for (const item of [before, after]) {
      const operation = ledger.operations.get(text(item, 'operationId'));
      if (operation !== undefined) operations.add(operation);
    }
  }
  return operations;
}
