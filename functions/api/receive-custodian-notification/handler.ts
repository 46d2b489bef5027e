import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { receiveCustodianNotification as contract } from '#shared/contracts/custodian-notification.ts';
import { notificationsInNormalForm } from '#shared/custodian/normal-form.ts';
import { simulatedReadNotification } from '#shared/custodian/simulated/notifications.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { providerEndpoint } from '#shared/http/endpoints.ts';
import { fetchPublicKey } from '#shared/kms/public-key.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createSendDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { receiveCustodianNotification } from './receive-custodian-notification.ts';

const custodianKey = await fetchPublicKey(new KMSClient(awsClientOptions), setting('CUSTODIAN_KEY_ID'));

export const handler = providerEndpoint(
  contract,
  receiveCustodianNotification({
    readNotification: notificationsInNormalForm(simulatedReadNotification(custodianKey)),
    deposits: depositsIn(dynamo, setting('DEPOSITS_TABLE')),
    sendPoll: createSendDepositPoll(new SQSClient(awsClientOptions), setting('NOTIFIED_TRANSFERS_QUEUE')),
    clock: systemClock,
  }),
);
