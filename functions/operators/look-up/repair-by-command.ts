/** Texts on how to repair a change that a restore has undone. */
const AGAIN = 'The same command again, with these arguments.';
const NOTHING = 'Nothing: it changed nothing that lasts.';
const BOOKS_FIRST =
  'Once the books match every movement out since then, look at the deposit. If nothing has left: the same command again.';
/** decisions.md 9, After a restore. */
export const NOT_SENT_TWICE =
  'While returns are held, a return that has left is found at the custodian, or recorded by hand with record-return. It is not sent again.';
const POLL_FIRST = 'poll-deposit, which completes what the tables have in part. Otherwise';
const PERSONAL = 'The same command again; its values are not in the audit, ask whoever gave them.';

/** How to repair a change, by the operators' command. A test checks that every command has an entry. */
export const repairByCommand: Readonly<Record<string, string>> = {
  'resolve-contradiction': AGAIN,
  'put-back': 'put-back again.',
  'poll-deposit': NOTHING,
  'search-hash': NOTHING,
  'give-up-unreadable': AGAIN,
  'settle-deposit': AGAIN,
  'unsettle-deposit': AGAIN,
  'credit-deposit': `${POLL_FIRST} the same command again, with these arguments.`,
  'confirm-deposit': `${POLL_FIRST} what was proposed again, and its confirmation.`,
  'request-return': `${AGAIN} ${NOT_SENT_TWICE}`,
  'approve-return': `${AGAIN} Its request comes first, whoever had made it. ${NOT_SENT_TWICE}`,
  'decline-return': AGAIN,
  'start-return': BOOKS_FIRST,
  'abort-return': BOOKS_FIRST,
  'record-return': AGAIN,
  'poll-payin': NOTHING,
  'expire-payin': AGAIN,
  'end-payin': AGAIN,
  'confirm-payin': 'end-payin again, and its confirmation.',
  'erase-user': AGAIN,
  'redrive-dead-letters': NOTHING,
  'run-books': NOTHING,
  'explain-difference': AGAIN,
  'confirm-difference': 'explain-difference again, and its confirmation, if the books still find the difference.',
  'withdraw-proposal': AGAIN,
  'deactivate-bank': AGAIN,
  'activate-bank': AGAIN,
  'deactivate-token': AGAIN,
  'activate-token': AGAIN,
  'add-user': 'The same command again: the user gets another id, which its client needs.',
  'update-user': PERSONAL,
  'declare-wallet': AGAIN,
  'withdraw-wallet': AGAIN,
  'create-client':
    'The same command again: the client gets another id and secret. Its off-ramps: since with --client and this id.',
  'approve-client': AGAIN,
  'suspend-client': AGAIN,
  'rotate-secret': 'rotate-secret again: a secret that it ended is valid again, and the one that it made is not.',
  'end-previous-secret': AGAIN,
  'set-limits': AGAIN,
  'declare-certificate': AGAIN,
  'withdraw-certificate': AGAIN,
  resend: NOTHING,
  'redrive-deliveries': NOTHING,
  'deactivate-webhook': AGAIN,
};

/** For a proposal: its confirmation is a separate change with its own line. */
export const ONLY_PROPOSED = 'Nothing: it was only proposed. If its confirmation is listed, look at that.';

/** For a change without a result, which broke off or is still running, and a failed one that may have been written. */
export const OUTCOME_UNKNOWN = 'It is not known whether it was done: check.';
