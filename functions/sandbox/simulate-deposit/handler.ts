import { KMSClient } from '@aws-sdk/client-kms';
import { simulateDeposit as contract } from '#shared/contracts/sandbox.ts';
import { notifierTo } from '#shared/custodian/simulated/notify.ts';
import { putSimulatedTransaction } from '#shared/custodian/simulated/put-transaction.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { approvedClients } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { setting } from '#shared/runtime/environment.ts';
import { networkRulesSetting } from '#shared/runtime/network-rules.ts';
import { simulateDeposit } from './simulate-deposit.ts';

export const handler = endpoint(
  contract,
  approvedClients(clientsIn(dynamo, setting('CLIENTS_TABLE'))),
  simulateDeposit({
    putTransaction: putSimulatedTransaction(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE')),
    notify: notifierTo(new KMSClient({}), setting('CUSTODIAN_KEY_ID'), new URL(setting('NOTIFICATIONS_URL'))),
    networkRules: networkRulesSetting(),
  }),
);
