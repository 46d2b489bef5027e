import { SQSClient } from '@aws-sdk/client-sqs';
import { receiveCustodianNotification as contract } from '#shared/contracts/custodian-notification.ts';
import type { Custodian } from '#shared/custodian/custodian.ts';
import { custodianSetting } from '#shared/custodian/custodians.ts';
import { notificationsInNormalForm } from '#shared/custodian/normal-form.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { providerEndpoint } from '#shared/http/endpoints.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { primed } from '#shared/runtime/primed.ts';
import { createSendDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { receiveCustodianNotification } from './receive-custodian-notification.ts';

export function wire(
  {
    dynamo,
    sqs,
    custodian,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & { readonly custodian: Pick<Custodian, 'readNotification'> },
  clock: Clock,
) {
  return providerEndpoint(
    contract,
    clock,
    receiveCustodianNotification({
      readNotification: notificationsInNormalForm(custodian.readNotification),
      deposits: depositsIn(dynamo, setting('DEPOSITS_TABLE'), clock),
      sendPoll: createSendDepositPoll(sqs, setting('NOTIFIED_TRANSFERS_QUEUE')),
      clock,
    }),
  );
}

const { readNotification } = custodianSetting();
await primed(readNotification({ rawBody: Buffer.alloc(0), headers: new Map() }));
export const handler = wire(
  { dynamo, sqs: new SQSClient(awsClientOptions), custodian: { readNotification } },
  systemClock,
);
