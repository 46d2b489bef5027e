import { reasonsInWords, type Verification, type VerificationReason } from './verification.ts';

interface Step {
  readonly who: 'CLIENT' | 'CUSTODIAN' | 'SERVICE';
  readonly what: string;
  readonly at?: string | undefined;
}

/** Milliseconds after which a sweep restarts an execution that broke off. */
export const POLL_OVERDUE_AFTER = 3 * 60_000;

/** Milliseconds after the report, from which an unknown transaction probably has a wrong hash. */
const LONG_UNKNOWN = 3600_000;

/** Reasons for which the client must report another transaction: no further poll can change them. */
const CORRECTABLE: readonly VerificationReason[] = [
  'WRONG_ADDRESS',
  'WRONG_TOKEN',
  'WRONG_SENDER',
  'FAILED_ON_CHAIN',
  'FUNDS_ANOTHER_OPERATION',
];

/** What happens next with a reported hash whose deposit is not confirmed. */
export function hashNextStep(verification: Verification, now: Date): Step {
  const { reason, isPutOff, nextCheckAt: at, windowStartsAt, amount, token } = verification;
  const said = reason === undefined ? 'The hash was not checked yet.' : reasonsInWords[reason];
  if (at === undefined) {
    return { who: 'CLIENT', what: `${said} Its window has ended: reports the hash again, or the right one.` };
  }
  if (now.getTime() - Date.parse(at) > POLL_OVERDUE_AFTER) {
    return {
      who: 'SERVICE',
      what: 'Starts the verification again, because it broke off. A sweep does so every minute.',
      at,
    };
  }
  if (reason === 'CUSTODIAN_UNAVAILABLE' && !isPutOff)
    return { who: 'CUSTODIAN', what: `${said} It is asked again.`, at };
  if (reason === 'HELD_BY_CUSTODIAN') return { who: 'CUSTODIAN', what: 'Releases the deposit from its review.', at };
  if (reason === 'WRONG_AMOUNT') {
    const what = `${said} Has the user send the whole ${amount} ${token} in one transfer, from the declared wallet, and reports that hash.`;
    return { who: 'CLIENT', what, at };
  }
  if (reason !== undefined && CORRECTABLE.includes(reason)) {
    return { who: 'CLIENT', what: `${said} Has the user send the awaited deposit, and reports that hash.`, at };
  }
  if (reason === 'NOT_FOUND' && now.getTime() - Date.parse(windowStartsAt) > LONG_UNKNOWN) {
    return {
      who: 'CLIENT',
      what: `${said} Compares the hash with that of the wallet: it is checked until the window ends.`,
      at,
    };
  }
  return { who: 'SERVICE', what: `${said} Looks it up${reason === undefined ? '' : ' again'}.`, at };
}
