import { DEPOSIT_ADDRESS, OPERATION_ID, TX_HASH, WALLET_ADDRESS } from '#infra/platform/example-ids.ts';
import { costlyCallLimits, type Route } from '#infra/platform/route.ts';
import { listHashPollsContract } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import {
  getOfframpHashContract,
  submitOfframpHashContract,
} from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';

/** The deposit address in its normal form. */
const DEPOSIT_ACCOUNT = DEPOSIT_ADDRESS.toLowerCase();

/** Routes about the hash that a client reports for a deposit. */
export const hashRoutes: readonly Route[] = [
  {
    contract: submitOfframpHashContract,
    countsAs: 'reports',
    throttling: costlyCallLimits,
    tables: {
      operations: ['Query', 'PutItem', 'UpdateItem'],
      events: ['PutItem', 'Query'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
      deposits: ['GetItem', 'PutItem', 'UpdateItem'],
    },
    permissions: ['start verifications'],
    environment: ({ lateWindowSeconds }) => ({ LATE_WINDOW_SECONDS: String(lateWindowSeconds) }),
    hasVersions: true,
    impact: 'Clients cannot report deposit hashes; deposits are still detected by notification.',
    example: {
      request: { txHash: TX_HASH },
      answer: { operationId: OPERATION_ID, txHash: TX_HASH, status: 'VERIFYING' },
      remark:
        'EVM networks: 0x and 64 hexadecimal characters; TRON and Stellar: 64 hexadecimal characters; Solana and SUI: base58. The same hash may be submitted again, and another one while the operation awaits its deposit.',
    },
  },
  {
    contract: getOfframpHashContract,
    tables: { operations: ['Query'], hashes: ['GetItem'], deposits: ['GetItem'] },
    impact: 'Clients cannot see the state of a verification; verifications continue.',
    example: {
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
          checks: [
            { check: 'ADDRESS', passed: true, expected: DEPOSIT_ACCOUNT, observed: DEPOSIT_ACCOUNT },
            { check: 'TOKEN', passed: true, expected: 'POLYGON:USDC', observed: 'POLYGON:USDC' },
            { check: 'AMOUNT', passed: true, expected: '250.5', observed: '250.5' },
            { check: 'SENDER', passed: true, expected: WALLET_ADDRESS, observed: WALLET_ADDRESS },
            { check: 'CONFIRMATIONS', passed: false, expected: '32', observed: '4' },
          ],
        },
      },
      remark:
        '`verification` is absent until a hash is submitted, or a deposit verified without one, its `checks` until a deposit to the address is known.',
    },
  },
  {
    contract: listHashPollsContract,
    tables: { operations: ['Query'] },
    impact: 'Clients cannot see the single checks of a hash; verifications continue.',
    example: {
      answer: {
        polls: [
          {
            at: '2026-11-21T14:05:00.000Z',
            outcome: 'LOOK_AGAIN',
            reason: 'UNCONFIRMED',
            nextCheckAt: '2026-11-21T14:06:00.000Z',
          },
          {
            at: '2026-11-21T14:02:55.412Z',
            outcome: 'LOOK_AGAIN',
            reason: 'NOT_FOUND',
            nextCheckAt: '2026-11-21T14:05:00.000Z',
          },
        ],
        earlierAttempts: [],
      },
      remark: 'Empty while no hash was reported. A check can be listed twice when the service failed right after it.',
    },
  },
];
