/** What a role of operators is for. */
export type Duty = 'operations' | 'requests' | 'approves';

/**
 * Who may do what, in the policies that the documentation prints: every command is in one of them, and nobody's role has
 * both sides of what takes two persons (decisions.md 9, Who approves).
 */
export const duties: Readonly<Record<Duty, readonly string[]>> = {
  /** Clients and what is delivered to them. */
  operations: [
    'create-client',
    'approve-client',
    'suspend-client',
    'rotate-secret',
    'set-limits',
    'declare-certificate',
    'withdraw-certificate',
    'add-user',
    'update-user',
    'declare-wallet',
    'withdraw-wallet',
    'deactivate-bank',
    'activate-bank',
    'deactivate-token',
    'activate-token',
    'resend',
    'redrive-deliveries',
    'deactivate-webhook',
    'redrive-dead-letters',
  ],
  /** Money, as far as one person may go. */
  requests: [
    'poll-deposit',
    'search-hash',
    'give-up-unreadable',
    'resolve-contradiction',
    'settle-deposit',
    'unsettle-deposit',
    'credit-deposit',
    'poll-payin',
    'end-payin',
  ],
  /** What somebody else has asked for. */
  approves: ['confirm-deposit', 'confirm-payin'],
};
