import { KMSClient } from '@aws-sdk/client-kms';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import { createFetchPublicKey } from '#shared/platform/aws/public-key.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { simulatedReadNotification } from './custodian-notifications.ts';
import { simulatedDepositAddress } from './deposit-addresses.ts';
import { simulatedFindTransfers } from './transactions.ts';

/** Its parts are made when they are taken, so that a function has the settings only of those that it takes as it starts. */
export function createSimulatedCustodian(): Custodian {
  return {
    name: 'simulated',
    get findTransfers() {
      return simulatedFindTransfers(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'));
    },
    get readNotification() {
      const kms = new KMSClient(awsClientOptions);
      return simulatedReadNotification(createFetchPublicKey(kms, setting('CUSTODIAN_KEY_ID')));
    },
    assignDepositAddress: simulatedDepositAddress,
  };
}
