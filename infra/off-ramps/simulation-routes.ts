import { DEPOSIT_ADDRESS, DEPOSIT_ID, OPERATION_ID, TX_HASH, WALLET_ADDRESS } from '#infra/platform/example-ids.ts';
import type { Route } from '#infra/platform/route.ts';
import {
  simulateDepositContract,
  simulateOperationContract,
  simulateReturnContract,
} from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';

/** Never deployed to production. */
export const offRampSandboxRoutes: readonly Route[] = [
  {
    contract: simulateDepositContract,
    tables: { simulatedTransactions: ['UpdateItem'] },
    permissions: ['sign custodian notifications'],
    impact: 'Developers of clients cannot simulate deposits.',
    example: {
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
        'Any address, token and amount is accepted, so that wrong ones can be tried. A transaction can have ten transfers, one per call. `unavailable` applies to the whole transaction: while it is true, the custodian does not answer for this hash.',
    },
  },
  {
    contract: simulateReturnContract,
    tables: { simulatedTransactions: ['GetItem', 'UpdateItem'], deposits: ['GetItem'] },
    impact: 'Developers of clients cannot simulate how a return ends.',
    example: {
      request: { outcome: 'FAILED' },
      answer: { id: DEPOSIT_ID, outcome: 'FAILED' },
      remark: 'The deposit must have been put there by `POST /api/sandbox/deposits`.',
    },
  },
  {
    contract: simulateOperationContract,
    tables: {
      operations: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      events: ['PutItem', 'Query'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
      simulatedPayments: ['PutItem'],
    },
    permissions: ['put events on the bus', 'start verifications'],
    impact: 'Developers of clients cannot simulate the end of off-ramps.',
    example: {
      request: { status: 'FAILED', reason: 'BANK_ACCOUNT_CLOSED' },
      answer: { id: OPERATION_ID, status: 'FAILED' },
      remark:
        'The body has exactly one of `status`, `expire`, `hold` and `payoutReturned`. `status`: an operation that awaits its deposit can be cancelled or fail; once the deposit is verified it can also be completed, which the simulated payout does after five seconds. `hold` prevents that: the operation stays PENDING until a call with `status` ends it. `expire` ends the window of an operation that awaits its deposit: `expiresAt` becomes now, and a reported hash is checked once more. `payoutReturned` sends the event of a payout that the bank returned: the off-ramp stays COMPLETED, and operators decide.',
    },
  },
];
