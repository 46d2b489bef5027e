import { cancelOperation } from '#shared/contracts/cancel-operation.ts';
import { getClientInfo } from '#shared/contracts/client-info.ts';
import type { Contract } from '#shared/contracts/contract.ts';
import { createPayin } from '#shared/contracts/create-payin.ts';
import { createWithdrawal } from '#shared/contracts/create-withdrawal.ts';
import { receiveCustodianNotification } from '#shared/contracts/custodian-notification.ts';
import { getDocs, getDocsAsset } from '#shared/contracts/docs.ts';
import { getOperation } from '#shared/contracts/get-operation.ts';
import { getPayin } from '#shared/contracts/get-payin.ts';
import { listDeliveries } from '#shared/contracts/list-deliveries.ts';
import { listOperations } from '#shared/contracts/list-operations.ts';
import { listPayins } from '#shared/contracts/list-payins.ts';
import { getOfframpHash, submitOfframpHash } from '#shared/contracts/offramp-hash.ts';
import { getOpenapi } from '#shared/contracts/openapi.ts';
import { listBanks, listBanksAsClient, listTokens } from '#shared/contracts/parameters.ts';
import { receiveRailNotification } from '#shared/contracts/rail-notification.ts';
import { replayEvents } from '#shared/contracts/replay-events.ts';
import { resendDelivery } from '#shared/contracts/resend-delivery.ts';
import { simulateDeposit } from '#shared/contracts/sandbox.ts';
import { simulateClient } from '#shared/contracts/simulate-client.ts';
import { simulateOperation } from '#shared/contracts/simulate-operation.ts';
import { simulatePayin } from '#shared/contracts/simulate-payin.ts';
import { testWebhook } from '#shared/contracts/test-webhook.ts';
import { issueToken } from '#shared/contracts/token.ts';
import { deactivateWebhook, listWebhooks } from '#shared/contracts/webhook.ts';
import {
  registerWebhook,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '#shared/contracts/webhook-management.ts';
import type { RouteThrottling } from './constructs/client-limits.ts';
import type { TableUse } from './constructs/service-function.ts';
import type { ConcurrencyGroup } from './settings/read-settings.ts';

/** What a route's function needs besides tables; the stack knows how to give it. */
export type Need =
  | 'sign access tokens'
  | 'verify custodian notifications'
  | 'sign custodian notifications'
  | 'verify rail notifications'
  | 'sign rail notifications'
  | 'start verifications'
  | 'queue notified transfers'
  | 'put events on the bus'
  | 'put events of compliance on the bus'
  | 'know the networks'
  | 'know the custodian'
  | 'know the window'
  | 'know the late window'
  | 'know the payin rules'
  | 'encrypt webhook secrets'
  | 'decrypt webhook secrets'
  | 'queue deliveries'
  | 'queue replays'
  | 'know where webhooks may point';

export interface Endpoint {
  readonly contract: Contract;
  /** Further routes that its function serves, each by a contract of its own. */
  readonly alsoServes?: readonly Contract[];
  /** Folder below `functions`. */
  readonly folder: string;
  /** Clients call one API; providers call another, which has no client certificates and no allowlist. */
  readonly api: 'clients' | 'providers';
  readonly tables: TableUse;
  readonly needs: readonly Need[];
  /** Its share of the account's concurrent calls is the one that the stage's settings keep for this group. */
  readonly concurrencyGroup?: ConcurrencyGroup;
  /** Where the stage's limit would take too much of what all routes share. */
  readonly throttling?: RouteThrottling;
  /** What its function's description says. */
  readonly clientsLose: string;
}

/** Anybody may send what looks like a notification; providers send again what is refused for now. */
const NOTIFICATIONS = { rate: 50, burst: 200 };

/** A call lasts for as long as a server of names takes to answer, and holds a function all the while. */
const LOOKS_AT_TARGET = { rate: 10, burst: 50, perClient: { rate: 2, burst: 10 } };

/** Large files, for everybody. */
const DOCS = { rate: 10, burst: 40 };

/** Every route of the service: what it may touch and what is lost when it fails. */
export const endpoints: readonly Endpoint[] = [
  {
    contract: issueToken,
    folder: 'api/issue-token',
    api: 'clients',
    tables: { clients: ['GetItem'] },
    needs: ['sign access tokens'],
    // Who has no token has no limit of its own. Every client needs one in five minutes.
    throttling: { rate: 50, burst: 100 },
    concurrencyGroup: 'token',
    clientsLose: 'Clients get no access tokens; within five minutes they can do nothing at all.',
  },
  {
    contract: getClientInfo,
    folder: 'api/get-client-info',
    api: 'clients',
    tables: { clients: ['GetItem'] },
    needs: [],
    clientsLose: 'Clients cannot read their profile; everything else works.',
  },
  {
    contract: createPayin,
    folder: 'api/create-payin',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      users: ['GetItem'],
      parameters: ['Query'],
      payins: ['GetItem', 'PutItem', 'UpdateItem'],
      events: ['PutItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
      simulatedPayments: ['GetItem', 'PutItem'],
    },
    needs: ['know the payin rules'],
    clientsLose: 'Clients cannot collect fiat from their users.',
  },
  {
    contract: getPayin,
    folder: 'api/get-payin',
    api: 'clients',
    tables: { payins: ['GetItem'] },
    needs: [],
    clientsLose: 'Clients cannot read single pay-ins; payments continue.',
  },
  {
    contract: listPayins,
    folder: 'api/list-payins',
    api: 'clients',
    tables: { users: ['GetItem'], payins: ['BatchGetItem', 'Query:byUser', 'Query:byReference'] },
    needs: [],
    clientsLose: 'Clients cannot list pay-ins; payments continue.',
  },
  {
    contract: receiveRailNotification,
    folder: 'api/receive-rail-notification',
    api: 'providers',
    tables: { payins: ['GetItem', 'UpdateItem'], events: ['PutItem'], simulatedPayments: ['GetItem'] },
    needs: ['verify rail notifications'],
    throttling: NOTIFICATIONS,
    concurrencyGroup: 'notifications',
    clientsLose: 'Paid pay-ins are noticed late: by the poll of open pay-ins instead of by notification.',
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
      hashes: ['PutItem'],
      events: ['PutItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['know the custodian', 'know the window'],
    clientsLose: 'Clients cannot create off-ramps.',
  },
  {
    contract: getOperation,
    folder: 'api/get-operation',
    api: 'clients',
    tables: { operations: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot read single off-ramps; everything else works.',
  },
  {
    contract: listOperations,
    folder: 'api/list-operations',
    api: 'clients',
    tables: { users: ['GetItem'], operations: ['BatchGetItem', 'Query:byUser', 'Query:byReference'] },
    needs: [],
    clientsLose: 'Clients cannot list off-ramps; everything else works.',
  },
  {
    contract: cancelOperation,
    folder: 'api/cancel-operation',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      operations: ['Query', 'UpdateItem'],
      events: ['PutItem'],
      hashes: ['DeleteItem'],
      deposits: ['GetItem', 'PutItem', 'Query:arriving'],
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
      events: ['PutItem'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
      deposits: ['PutItem'],
    },
    needs: ['start verifications', 'know the late window'],
    clientsLose: 'Clients cannot report deposit hashes; deposits are still detected by notification.',
  },
  {
    contract: getOfframpHash,
    folder: 'api/get-offramp-hash',
    api: 'clients',
    tables: { operations: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot see how far the verification of a deposit is; verifications continue.',
  },
  {
    contract: listWebhooks,
    folder: 'api/list-webhooks',
    api: 'clients',
    tables: { webhooks: ['Query'], webhookHealth: ['BatchGetItem'] },
    needs: [],
    clientsLose: 'Clients cannot list their webhooks; deliveries continue.',
  },
  {
    contract: registerWebhook,
    folder: 'api/register-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], users: ['GetItem'], webhooks: ['PutItem', 'UpdateItem'] },
    needs: ['encrypt webhook secrets', 'know where webhooks may point'],
    throttling: LOOKS_AT_TARGET,
    clientsLose: 'Clients cannot register webhooks; those that they have keep working.',
  },
  {
    contract: updateWebhook,
    folder: 'api/update-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'], webhookHealth: ['GetItem'] },
    needs: ['know where webhooks may point'],
    throttling: LOOKS_AT_TARGET,
    clientsLose: 'Clients cannot change or reactivate webhooks.',
  },
  {
    contract: deactivateWebhook,
    folder: 'api/deactivate-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'] },
    needs: [],
    clientsLose: 'Clients cannot deactivate a webhook.',
  },
  {
    contract: removeWebhook,
    folder: 'api/remove-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'DeleteItem', 'UpdateItem'] },
    needs: [],
    clientsLose:
      'Clients with a hundred webhooks cannot remove one to register another; those that they have keep working.',
  },
  {
    contract: rotateWebhookSecret,
    folder: 'api/rotate-webhook-secret',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'] },
    needs: ['encrypt webhook secrets'],
    clientsLose: 'Clients cannot replace the secret of a webhook, not even one that leaked.',
  },
  {
    contract: testWebhook,
    folder: 'api/test-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem'], webhookHealth: ['GetItem', 'PutItem'] },
    needs: ['decrypt webhook secrets', 'know where webhooks may point'],
    // A call lasts for as long as an endpoint hangs, and holds a function all the while.
    throttling: { rate: 2, burst: 10, perClient: { rate: 0.5, burst: 2 } },
    clientsLose: 'Clients cannot test their webhooks; deliveries continue.',
  },
  {
    contract: listDeliveries,
    folder: 'api/list-deliveries',
    api: 'clients',
    tables: { webhooks: ['GetItem'], deliveries: ['Query', 'Query:byWebhook'] },
    needs: [],
    clientsLose: 'Clients cannot see the deliveries to their webhooks; deliveries continue.',
  },
  {
    contract: resendDelivery,
    folder: 'api/resend-delivery',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      webhooks: ['GetItem'],
      webhookHealth: ['GetItem', 'PutItem'],
      deliveries: ['Query', 'UpdateItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['queue deliveries'],
    clientsLose: 'Clients cannot resend a delivery to a webhook.',
  },
  {
    contract: replayEvents,
    folder: 'api/replay-events',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem'], slots: ['PutItem'] },
    needs: ['queue replays'],
    clientsLose: 'Clients cannot replay events to a webhook.',
  },
  {
    contract: listBanks,
    alsoServes: [listBanksAsClient],
    folder: 'api/list-banks',
    api: 'clients',
    tables: { parameters: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot list banks; the banks that they know keep working.',
  },
  {
    contract: listTokens,
    folder: 'api/list-tokens',
    api: 'clients',
    tables: { parameters: ['Query'] },
    needs: [],
    clientsLose: 'Clients cannot list tokens; the tokens that they know keep working.',
  },
  {
    contract: getOpenapi,
    folder: 'api/get-openapi',
    api: 'clients',
    tables: {},
    needs: [],
    throttling: DOCS,
    clientsLose: 'Clients cannot read the OpenAPI document; everything else works.',
  },
  {
    contract: getDocs,
    folder: 'api/get-docs',
    api: 'clients',
    tables: {},
    needs: [],
    throttling: DOCS,
    clientsLose: 'Developers of clients cannot open the documentation; everything else works.',
  },
  {
    contract: getDocsAsset,
    folder: 'api/get-docs-asset',
    api: 'clients',
    tables: {},
    needs: [],
    throttling: DOCS,
    clientsLose: 'Developers of clients see an empty documentation page; everything else works.',
  },
  {
    contract: receiveCustodianNotification,
    folder: 'api/receive-custodian-notification',
    api: 'providers',
    tables: { deposits: ['UpdateItem'] },
    needs: ['verify custodian notifications', 'queue notified transfers'],
    throttling: NOTIFICATIONS,
    concurrencyGroup: 'notifications',
    clientsLose: 'Deposits are noticed late or, without a reported hash, not at all, until the custodian sends again.',
  },
];

/** Routes that exist to try things out; never deployed to production. */
export const sandboxEndpoints: readonly Endpoint[] = [
  {
    contract: simulateDeposit,
    folder: 'sandbox/simulate-deposit',
    api: 'clients',
    tables: { clients: ['GetItem'], simulatedTransactions: ['UpdateItem'] },
    needs: ['know the networks', 'sign custodian notifications'],
    clientsLose: 'Developers of clients cannot simulate deposits.',
  },
  {
    contract: simulatePayin,
    folder: 'sandbox/simulate-payin',
    api: 'clients',
    tables: { clients: ['GetItem'], payins: ['GetItem'], simulatedPayments: ['UpdateItem'] },
    needs: ['sign rail notifications'],
    clientsLose: 'Developers of clients cannot simulate the end of pay-ins.',
  },
  {
    contract: simulateOperation,
    folder: 'sandbox/simulate-operation',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      operations: ['GetItem', 'PutItem', 'UpdateItem'],
      events: ['PutItem'],
      hashes: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
      simulatedPayments: ['PutItem'],
    },
    needs: ['put events on the bus', 'start verifications'],
    clientsLose: 'Developers of clients cannot simulate the end of off-ramps.',
  },
  {
    contract: simulateClient,
    folder: 'sandbox/simulate-client',
    api: 'clients',
    tables: {},
    needs: ['put events of compliance on the bus'],
    clientsLose: 'Developers of clients cannot simulate a change of their approval.',
  },
];
