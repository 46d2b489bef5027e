import { type Endpoint, NOTIFICATIONS } from '#infra/api/endpoint.ts';
import { cancelOperation } from '#shared/off-ramps/cancel-operation-contract.ts';
import { createWithdrawal } from '#shared/off-ramps/create-withdrawal-contract.ts';
import { receiveCustodianNotification } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { getOperation } from '#shared/off-ramps/get-operation-contract.ts';
import { listOperations } from '#shared/off-ramps/list-operations-contract.ts';
import { getOfframpHash, submitOfframpHash } from '#shared/off-ramps/offramp-hash-contract.ts';
import { simulateDeposit } from '#shared/off-ramps/simulate-deposit-contract.ts';
import { simulateOperation } from '#shared/off-ramps/simulate-operation-contract.ts';

/** Crypto that users send, and its deposits. */
export const offRampRoutes: readonly Endpoint[] = [
  {
    contract: createWithdrawal,
    folder: 'off-ramps/create-withdrawal',
    tables: {
      clients: ['GetItem'],
      users: ['GetItem'],
      wallets: ['GetItem'],
      parameters: ['GetItem'],
      operations: ['GetItem', 'PutItem'],
      hashes: ['PutItem'],
      events: ['PutItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['know the custodian', 'know the window'],
    impact: 'Clients cannot create off-ramps.',
  },
  {
    contract: getOperation,
    folder: 'off-ramps/get-operation',
    tables: { operations: ['Query'] },
    needs: [],
    impact: 'Clients cannot read single off-ramps; everything else works.',
  },
  {
    contract: listOperations,
    folder: 'off-ramps/list-operations',
    tables: { users: ['GetItem'], operations: ['BatchGetItem', 'Query:byUser', 'Query:byReference'] },
    needs: [],
    impact: 'Clients cannot list off-ramps; everything else works.',
  },
  {
    contract: cancelOperation,
    folder: 'off-ramps/cancel-operation',
    tables: {
      clients: ['GetItem'],
      operations: ['Query', 'UpdateItem'],
      events: ['PutItem'],
      hashes: ['DeleteItem'],
      deposits: ['GetItem', 'PutItem', 'Query:arriving'],
    },
    needs: ['find transfers'],
    impact: 'Clients cannot cancel off-ramps.',
  },
  {
    contract: submitOfframpHash,
    folder: 'off-ramps/submit-offramp-hash',
    tables: {
      clients: ['GetItem'],
      operations: ['Query', 'PutItem', 'UpdateItem'],
      events: ['PutItem'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
      deposits: ['PutItem'],
    },
    needs: ['start verifications', 'know the late window'],
    impact: 'Clients cannot report deposit hashes; deposits are still detected by notification.',
  },
  {
    contract: getOfframpHash,
    folder: 'off-ramps/get-offramp-hash',
    tables: { operations: ['Query'] },
    needs: [],
    impact: 'Clients cannot see how far the verification of a deposit is; verifications continue.',
  },
  {
    contract: receiveCustodianNotification,
    folder: 'off-ramps/receive-custodian-notification',
    tables: { deposits: ['UpdateItem'] },
    needs: ['verify custodian notifications', 'queue notified transfers'],
    throttling: NOTIFICATIONS,
    concurrencyGroup: 'notifications',
    impact: 'Deposits are noticed late or, without a reported hash, not at all, until the custodian sends again.',
  },
];

/** Never deployed to production. */
export const offRampSandboxRoutes: readonly Endpoint[] = [
  {
    contract: simulateDeposit,
    folder: 'off-ramps/simulate-deposit',
    tables: { clients: ['GetItem'], simulatedTransactions: ['UpdateItem'] },
    needs: ['know the networks', 'sign custodian notifications'],
    impact: 'Developers of clients cannot simulate deposits.',
  },
  {
    contract: simulateOperation,
    folder: 'off-ramps/simulate-operation',
    tables: {
      clients: ['GetItem'],
      operations: ['GetItem', 'PutItem', 'UpdateItem'],
      events: ['PutItem'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
      simulatedPayments: ['PutItem'],
    },
    needs: ['put events on the bus', 'start verifications'],
    impact: 'Developers of clients cannot simulate the end of off-ramps.',
  },
];
