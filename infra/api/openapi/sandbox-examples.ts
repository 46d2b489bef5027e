import { CLIENT_ID, DEPOSIT_ADDRESS, OPERATION_ID, PAYIN_ID, TX_HASH, WALLET_ADDRESS } from './example-ids.ts';
import type { Examples } from './examples.ts';

export const sandboxExamples: Examples = {
  'simulate-deposit': {
    request: {
      network: 'POLYGON',
      txHash: TX_HASH,
      fromAddress: WALLET_ADDRESS,
      toAddress: DEPOSIT_ADDRESS,
      token: 'USDC',
      amount: '250.5',
      state: 'CONFIRMED',
      notify: true,
    },
    answer: {
      custodianTransferId: 'sim-9c2f4e6a8b0d1c3e',
      network: 'POLYGON',
      txHash: TX_HASH,
      state: 'CONFIRMED',
      confirmations: 32,
    },
    remark:
      'Any address, token and amount is accepted, so that wrong ones can be tried. A transaction can have ten transfers, each put there by a call of its own. `unavailable` is of the whole transaction: while it is true, the custodian does not answer for this hash.',
  },
  'simulate-payin': {
    request: { status: 'COMPLETED' },
    answer: { id: PAYIN_ID, status: 'COMPLETED' },
  },
  'simulate-operation': {
    request: { status: 'FAILED', reason: 'BANK_ACCOUNT_CLOSED' },
    answer: { id: OPERATION_ID, status: 'FAILED' },
    remark:
      'The body has exactly one of `status`, `expire` and `hold`. `status`: while it awaits its deposit an operation can be cancelled or fail; once the deposit is verified it can also be completed, which the simulated payout does by itself after five seconds. `hold` keeps it from doing so: the operation stays PENDING until a call with `status` ends it. `expire` ends the window of an operation that awaits its deposit: `expiresAt` becomes now, and a reported hash is looked for once more.',
  },
  'simulate-client': {
    request: { complianceStatus: 'in_review' },
    answer: { id: CLIENT_ID, complianceStatus: 'in_review' },
    remark:
      'With `approved` for both, the client may operate. Of two results in the same second the one that approves is not taken.',
  },
};
