import { KMSClient } from '@aws-sdk/client-kms';
import { simulateDeposit as contract } from '#shared/contracts/sandbox.ts';
import { SIGNATURE_HEADER, simulatedNotification } from '#shared/custodian/simulated/notifications.ts';
import { putSimulatedTransfer } from '#shared/custodian/simulated/put-transaction.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { networkRulesSetting } from '#shared/runtime/network-rules.ts';
import { notifierAs } from '#shared/sandbox/notify-as-provider.ts';
import { simulateDeposit } from './simulate-deposit.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock) {
  const notify = notifierAs(kms, {
    keyId: setting('CUSTODIAN_KEY_ID'),
    signatureHeader: SIGNATURE_HEADER,
    endpoint: new URL(setting('CUSTODIAN_NOTIFICATIONS_URL')),
  });
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    simulateDeposit({
      putTransfer: putSimulatedTransfer(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE')),
      notify: (transfer) => notify(simulatedNotification(transfer)),
      networkRules: networkRulesSetting(),
    }),
  );
}

export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock);
