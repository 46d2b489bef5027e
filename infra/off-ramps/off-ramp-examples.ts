import { DEPOSIT_ADDRESS, OPERATION_ID, TX_HASH, WALLET_ID } from '#infra/api/openapi/example-ids.ts';
import type { Examples } from '#infra/api/openapi/examples.ts';

const createdAt = '2026-11-21T14:00:00.000Z';
const awaiting = { status: 'AWAITING_DEPOSIT', at: createdAt };

const operation = {
  id: OPERATION_ID,
  status: 'AWAITING_DEPOSIT',
  network: 'POLYGON',
  token: 'USDC',
  address: DEPOSIT_ADDRESS,
  amount: '250.5',
  expiresAt: '2026-11-22T14:00:00.000Z',
  originExternalWalletId: WALLET_ID,
  externalReference: 'payout-0815',
  createdAt,
};

export const offRampExamples: Examples = {
  'create-withdrawal': {
    request: {
      originExternalWalletId: WALLET_ID,
      supportedTokenId: 1,
      amount: '250.5',
      externalReference: 'payout-0815',
    },
    answer: { operation },
    remark: 'The user then sends exactly this amount from the declared wallet to the address of the answer.',
  },
  'get-operation': {
    remark: 'How the verification of its deposit goes is in the read of the hash.',
    answer: {
      operation: {
        ...operation,
        status: 'PENDING',
        statusHistory: [awaiting, { status: 'PENDING', at: '2026-11-21T14:06:02.117Z' }],
      },
    },
  },
  'list-operations': {
    answer: { operations: [operation], nextCursor: OPERATION_ID },
  },
  'cancel-operation': {
    answer: {
      operation: {
        ...operation,
        status: 'CANCELLED',
        statusHistory: [
          awaiting,
          { status: 'CANCELLED', at: '2026-11-21T14:10:40.005Z', reason: 'CANCELLED_BY_CLIENT' },
        ],
      },
    },
  },
  'submit-offramp-hash': {
    request: { txHash: TX_HASH },
    answer: { operationId: OPERATION_ID, txHash: TX_HASH, status: 'VERIFYING' },
    remark:
      'EVM networks: 0x and 64 hexadecimal characters; TRON and Stellar: 64 hexadecimal characters; Solana and SUI: base58. The same hash may be submitted again, and another one while the operation awaits its deposit.',
  },
  'get-offramp-hash': {
    answer: {
      operationId: OPERATION_ID,
      operationStatus: 'AWAITING_DEPOSIT',
      txHash: TX_HASH,
      verifiedTxHash: null,
      status: 'VERIFYING',
      verification: {
        source: 'REPORTED',
        state: 'ACTIVE',
        attempt: 1,
        reason: 'UNCONFIRMED',
        confirmations: 4,
        requiredConfirmations: 32,
        lastCheckedAt: '2026-11-21T14:05:00.000Z',
        nextCheckAt: '2026-11-21T14:06:00.000Z',
        windowEndsAt: '2026-11-22T14:00:00.000Z',
      },
    },
    remark: '`verification` is absent while nothing was submitted and nothing detected.',
  },
};
