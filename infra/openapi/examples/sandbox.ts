import type { Examples } from '../examples.ts';
import { DEPOSIT_ADDRESS, OPERATION_ID, PAYIN_ID, TX_HASH, WALLET_ADDRESS } from './ids.ts';

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
    remark: 'Any address, token and amount is accepted, so that wrong ones can be tried.',
  },
  'simulate-payin': {
    request: { status: 'COMPLETED' },
    answer: { id: PAYIN_ID, status: 'COMPLETED' },
  },
  'simulate-operation': {
    request: { status: 'FAILED', reason: 'BANK_ACCOUNT_CLOSED' },
    answer: { id: OPERATION_ID, status: 'FAILED' },
    remark:
      'While it awaits its deposit an operation can be cancelled or fail; once the deposit is verified it can also be completed, which the simulated payout does by itself after a few seconds.',
  },
};
