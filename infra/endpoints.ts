import type { Contract } from '#shared/contracts/contract.ts';
import { receiveCustodianNotification } from '#shared/contracts/custodian-notification.ts';
import { getOfframpHash, submitOfframpHash } from '#shared/contracts/offramp-hash.ts';
import { simulateDeposit } from '#shared/contracts/sandbox.ts';
import { issueToken } from '#shared/contracts/token.ts';
import { cancelOperation, createWithdrawal, getOperation, listOperations } from '#shared/contracts/withdrawal.ts';
import type { TableUse } from './constructs/service-function.ts';

/** What a route's function needs besides tables; the stack knows how to give it. */
export type Need =
  | 'sign access tokens'
  | 'verify notifications'
  | 'sign simulated notifications'
  | 'start verifications'
  | 'queue notified transfers'
  | 'know the networks'
  | 'know the windows';

export interface Endpoint {
  readonly contract: Contract;
  /** Folder below `functions`. */
  readonly folder: string;
  /** Clients call one API; providers call another, which has no client certificates and no allowlist. */
  readonly api: 'clients' | 'providers';
  readonly tables: TableUse;
  readonly needs: readonly Need[];
  /** The text of the alarm. */
  readonly clientsLose: string;
}

/** Every route of the service: what it may touch and what is lost when it fails. */
export const endpoints: readonly Endpoint[] = [
  {
    contract: issueToken,
    folder: 'api/issue-token',
    api: 'clients',
    tables: { clients: ['GetItem'] },
    needs: ['sign access tokens'],
    clientsLose: 'Clients get no access tokens; within five minutes they can do nothing at all.',
  },
  {
    contract: createWithdrawal,
    folder: 'api/create-withdrawal',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      users: ['GetItem'],
      wallets: ['GetItem'],
      parameters: ['GetItem'],
      operations: ['GetItem', 'PutItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['know the windows'],
    clientsLose: 'Clients cannot create off-ramps.',
  },
  {
    contract: getOperation,
    folder: 'api/get-operation',
    api: 'clients',
    tables: { operations: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot read single off-ramps; everything goes on.',
  },
  {
    contract: listOperations,
    folder: 'api/list-operations',
    api: 'clients',
    tables: { users: ['GetItem'], operations: ['GetItem', 'Query'] },
    needs: [],
    clientsLose: 'Clients cannot list off-ramps; everything goes on.',
  },
  {
    contract: cancelOperation,
    folder: 'api/cancel-operation',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      operations: ['Query', 'PutItem', 'UpdateItem'],
      hashes: ['DeleteItem'],
      deposits: ['GetItem', 'Query'],
      simulatedTransactions: ['GetItem'],
    },
    needs: [],
    clientsLose: 'Clients cannot cancel off-ramps.',
  },
  {
    contract: submitOfframpHash,
    folder: 'api/submit-offramp-hash',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      operations: ['Query', 'PutItem', 'UpdateItem'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
    },
    needs: ['start verifications', 'know the windows'],
    clientsLose: 'Clients cannot report deposit hashes; deposits are still detected by notification.',
  },
  {
    contract: getOfframpHash,
    folder: 'api/get-offramp-hash',
    api: 'clients',
    tables: { operations: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot see how far the verification of a deposit is; verifications go on.',
  },
  {
    contract: receiveCustodianNotification,
    folder: 'api/receive-custodian-notification',
    api: 'providers',
    tables: { deposits: ['UpdateItem'] },
    needs: ['verify notifications', 'queue notified transfers'],
    clientsLose: 'Deposits are noticed late or, without a reported hash, not at all, until the custodian sends again.',
  },
];

/** Routes that exist to try things out; never deployed to production. */
export const sandboxEndpoints: readonly Endpoint[] = [
  {
    contract: simulateDeposit,
    folder: 'sandbox/simulate-deposit',
    api: 'clients',
    tables: { clients: ['GetItem'], simulatedTransactions: ['PutItem'] },
    needs: ['know the networks', 'sign simulated notifications'],
    clientsLose: 'Developers of clients cannot simulate deposits.',
  },
];
