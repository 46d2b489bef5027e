import {
  DEPOSIT_ADDRESS,
  DEPOSIT_ID,
  OPERATION_ID,
  TX_HASH,
  USER_ID,
  WALLET_ADDRESS,
  WALLET_ID,
} from '#infra/platform/example-ids.ts';
import { costlyCallLimits, LIST_LIMITS, NOTIFICATION_LIMITS, type Route } from '#infra/platform/route.ts';
import { acceptsOrders, custodiansOf } from '#infra/stage/stages.ts';
import { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import {
  cancelOperationContract,
  getOperationContract,
  listClientOperationsContract,
  listOperationsContract,
} from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { returnDepositContract } from '#shared/off-ramps/contract/return-contract.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { hashRoutes } from './hash-routes.ts';
import { approvalsEnvironment, returnsEnvironment } from './return-environment.ts';

const createdAt = '2026-11-21T14:00:00.000Z';
const awaiting = { status: 'AWAITING_DEPOSIT', at: createdAt };

const operation = {
  id: OPERATION_ID,
  userId: USER_ID,
  status: 'AWAITING_DEPOSIT',
  network: 'POLYGON',
  token: 'USDC',
  address: DEPOSIT_ADDRESS,
  amount: '250.5',
  expiresAt: '2026-11-22T14:00:00.000Z',
  endsAt: '2026-12-22T14:00:00.000Z',
  originExternalWalletId: WALLET_ID,
  externalReference: 'payout-0815',
  createdAt,
  sequence: 1,
};

const unmatchedDeposit = {
  id: DEPOSIT_ID,
  returnable: true,
  network: 'POLYGON',
  txHash: TX_HASH,
  token: 'USDC',
  amount: '250',
  fromAddress: WALLET_ADDRESS,
  toAddress: DEPOSIT_ADDRESS,
  confirmations: 32,
  requiredConfirmations: 32,
  detectedAt: '2026-11-21T14:03:10.000Z',
  updatedAt: '2026-11-21T14:06:02.117Z',
  sequence: 2,
};

/** Off-ramps, for which users send crypto, and their deposits. */
export const offRampRoutes: readonly Route[] = [
  {
    contract: createWithdrawalContract,
    countsAs: 'offRamps',
    throttling: costlyCallLimits,
    tables: {
      users: ['GetItem'],
      wallets: ['GetItem'],
      parameters: ['GetItem'],
      operations: ['GetItem', 'PutItem'],
      hashes: ['GetItem', 'PutItem'],
      events: ['GetItem', 'PutItem', 'Query'],
    },
    permissions: ['assign deposit addresses'],
    environment: (stage) => ({
      ACCEPTED_NETWORKS: JSON.stringify(
        Object.entries(stage.custodians).flatMap(([network, custodian]) =>
          acceptsOrders(stage, custodian) ? network : [],
        ),
      ),
      WINDOW_SECONDS: String(stage.windowSeconds),
      ENDS_AFTER_HOURS: String(stage.endsAfterHours),
    }),
    hasVersions: true,
    impact: 'Clients cannot create off-ramps.',
    example: {
      request: {
        originExternalWalletId: WALLET_ID,
        supportedTokenId: 1,
        amount: '250.5',
        externalReference: 'payout-0815',
      },
      answer: { operation },
      remark: 'The user then sends exactly this amount from the declared wallet to the address of the answer.',
    },
  },
  {
    contract: getOperationContract,
    tables: { operations: ['Query'] },
    impact: 'Clients cannot read single off-ramps; everything else works.',
    example: {
      remark: 'The read of the hash shows the verification of its deposit.',
      answer: {
        operation: {
          ...operation,
          status: 'PENDING',
          sequence: 3,
          statusHistory: [awaiting, { status: 'PENDING', at: '2026-11-21T14:06:02.117Z' }],
        },
      },
    },
  },
  {
    contract: listOperationsContract,
    throttling: LIST_LIMITS,
    tables: { users: ['GetItem'], operations: ['BatchGetItem', 'Query:byUser', 'Query:byReference'] },
    impact: 'Clients cannot list off-ramps; everything else works.',
    example: {
      answer: { operations: [operation], nextCursor: OPERATION_ID },
    },
  },
  {
    contract: listClientOperationsContract,
    throttling: LIST_LIMITS,
    tables: { operations: ['BatchGetItem', 'Query:byClient', 'Query:byClientReference'] },
    impact: 'Clients cannot list the off-ramps of all their users; everything else works.',
    example: {
      answer: { operations: [operation], nextCursor: OPERATION_ID },
      remark: 'What has changed since you last looked is in the feed of events.',
    },
  },
  {
    contract: cancelOperationContract,
    throttling: costlyCallLimits,
    tables: {
      operations: ['Query', 'UpdateItem'],
      events: ['PutItem', 'Query'],
      hashes: ['DeleteItem'],
      deposits: ['GetItem', 'PutItem', 'UpdateItem', 'Query:arriving'],
    },
    permissions: ['find transfers'],
    impact: 'Clients cannot cancel off-ramps.',
    example: {
      answer: {
        operation: {
          ...operation,
          status: 'CANCELLED',
          sequence: 2,
          statusHistory: [
            awaiting,
            { status: 'CANCELLED', at: '2026-11-21T14:10:40.005Z', reason: 'CANCELLED_BY_CLIENT' },
          ],
        },
      },
    },
  },
  ...hashRoutes,
  {
    contract: listDepositsContract,
    throttling: LIST_LIMITS,
    tables: { operations: ['Query'], deposits: ['BatchGetItem', 'Query:byOperation'] },
    environment: returnsEnvironment,
    impact: 'Clients cannot list the deposits of an off-ramp; they are credited all the same.',
    example: {
      answer: {
        deposits: [{ ...unmatchedDeposit, status: 'UNMATCHED', reasons: ['WRONG_AMOUNT'] }],
      },
      remark: 'Every transfer to the address is a deposit, right or wrong. The list may lag its events by a moment.',
    },
  },
  {
    contract: returnDepositContract,
    throttling: costlyCallLimits,
    tables: {
      operations: ['Query', 'ConditionCheckItem'],
      deposits: ['GetItem', 'UpdateItem', 'Query:byOperation'],
      events: ['PutItem', 'Query'],
    },
    environment: (stage) => ({ ...returnsEnvironment(stage), ...approvalsEnvironment(stage) }),
    impact: 'Clients cannot ask for deposits back; operators can request the return.',
    example: {
      request: { confirmAddress: WALLET_ADDRESS },
      answer: {
        deposit: {
          ...unmatchedDeposit,
          status: 'RETURN_REQUESTED',
          returnable: false,
          sequence: 3,
          updatedAt: '2026-11-21T15:20:11.000Z',
          return: { amount: '250', fee: '0', address: WALLET_ADDRESS, requestedAt: '2026-11-21T15:20:11.000Z' },
        },
      },
      remark: 'Operators approve it before it is sent; its `status` and events say what became of it.',
    },
  },
  {
    contract: receiveCustodianNotificationContract,
    tables: { deposits: ['GetItem', 'PutItem', 'UpdateItem'] },
    permissions: ['verify custodian notifications', 'find transfers', 'queue notified transfers'],
    throttling: NOTIFICATION_LIMITS,
    ownPaths: (stage) =>
      custodiansOf(stage).flatMap(({ name, signatureHeader }) => (signatureHeader === undefined ? [] : name)),
    concurrencyGroup: 'notifications',
    hasVersions: true,
    impact: 'Deposits are noticed late or, without a reported hash, not at all, until the custodian notifies again.',
  },
];
