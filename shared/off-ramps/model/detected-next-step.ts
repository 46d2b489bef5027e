import type { Deposit } from './deposit.ts';

const NEVER_FINAL =
  'Asks the custodian: the deposit is not final 14 days after its last notification. If it never will be: settle-deposit, written-off.';

const NOT_FINAL_ANY_MORE =
  'Asks the custodian: the deposit is not final any more. If it never will be: settle-deposit, written-off. Once it is again, it goes on by itself.';

const STILL_HELD =
  'Asks the custodian, which holds it. If it keeps it for good, or has sent it back: settle-deposit, written-off. Once it is released, it goes on by itself.';

/** For a deposit to an unknown address. It is listed only after a restore. */
const AFTER_RESTORE =
  'Tables were restored, and no off-ramp has its address. If one of the time since then had it: put-back, and it is credited by itself. If it never was for us: settle-deposit, kept.';

/** What happens next with a deposit that is DETECTED, or that was UNMATCHED and is not final now. */
export function detectedNextStep({ transfer, unmatched, ignoredReason, firstUnmatchedAt }: Deposit) {
  if (unmatched === undefined) return { who: 'SERVICE', what: `Waits until it is final${counted(transfer)}.` } as const;
  const isNotYet = firstUnmatchedAt === undefined ? NEVER_FINAL : NOT_FINAL_ANY_MORE;
  return { who: 'FINANCE', what: ignoredReason === 'NOT_OURS' ? AFTER_RESTORE : isNotYet } as const;
}

/** What happens next with a deposit that is HELD: its custodian decides and, once the deposit is listed, a person. */
export function heldNextStep({ unmatched }: Deposit) {
  return unmatched === undefined
    ? ({ who: 'CUSTODIAN', what: 'Releases the deposit from its review, or sends it back.' } as const)
    : ({ who: 'FINANCE', what: STILL_HELD } as const);
}

function counted(transfer: Deposit['transfer']): string {
  const { confirmations, requiredConfirmations } = transfer ?? {};
  if (confirmations === undefined) return '';
  const of = requiredConfirmations === undefined ? '' : ` of ${requiredConfirmations}`;
  return `; it has ${confirmations}${of} confirmations`;
}
