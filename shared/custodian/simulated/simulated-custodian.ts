import { KMSClient } from '@aws-sdk/client-kms';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createFetchPublicKey } from '#shared/kms/public-key.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { setting } from '#shared/runtime/environment.ts';
import type { Custodian } from '../custodian.ts';
import { simulatedDepositAddress } from './deposit-addresses.ts';
import { simulatedReadNotification } from './notifications.ts';
import { simulatedFindTransfers } from './transactions.ts';

/** Its parts are made when they are taken, so that a function has the settings only of those that it takes as it starts. */
export function createSimulatedCustodian(): Custodian {
  return {
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
