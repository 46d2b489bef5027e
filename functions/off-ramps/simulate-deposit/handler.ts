import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { simulateDepositContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { custodianNamesSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { putSimulatedTransfer } from '#shared/off-ramps/custodians/simulated/put-transaction.ts';
import { simulatedNotification } from '#shared/off-ramps/custodians/simulated/simulated-custodian.ts';
import { SIGNATURE_HEADER } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { createNotifyAsProvider } from '#shared/platform/notify-as-provider.ts';
import { simulateDeposit } from './simulate-deposit.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock) {
  const env = environment({
    custodianKeyId: 'CUSTODIAN_KEY_ID',
    custodianNotificationsUrl: 'CUSTODIAN_NOTIFICATIONS_URL',
    clientsTable: 'CLIENTS_TABLE',
    simulatedTransactionsTable: 'SIMULATED_TRANSACTIONS_TABLE',
  });
  const notify = createNotifyAsProvider(kms, {
    keyId: env.custodianKeyId,
    signatureHeader: SIGNATURE_HEADER,
    endpoint: new URL(env.custodianNotificationsUrl),
  });
  return approvedEndpoint(
    simulateDepositContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    simulateDeposit({
      custodianNames: custodianNamesSetting(),
      putTransfer: putSimulatedTransfer(dynamo, env.simulatedTransactionsTable, clock),
      notify: (transfer) => notify(simulatedNotification(transfer)),
    }),
  );
}

export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock);
