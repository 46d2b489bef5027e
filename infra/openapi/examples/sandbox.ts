import type { Examples } from '../examples.ts';
import { DEPOSIT_ADDRESS, PAYIN_ID, TX_HASH, WALLET_ADDRESS } from './ids.ts';

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
};
