import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { receiveRailNotification as contract } from '#shared/contracts/rail-notification.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { providerEndpoint } from '#shared/http/endpoints.ts';
import { fetchPublicKey } from '#shared/kms/public-key.ts';
import { railInTime } from '#shared/payment-rail/rail-in-time.ts';
import { payinSettler } from '#shared/payment-rail/settle-payin.ts';
import { simulatedReadRailNotification } from '#shared/payment-rail/simulated/notifications.ts';
import { simulatedRail } from '#shared/payment-rail/simulated/payments.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { receiveRailNotification } from './receive-rail-notification.ts';

const tables = { payins: setting('PAYINS_TABLE'), events: setting('EVENTS_TABLE') };
const railKey = await fetchPublicKey(new KMSClient(awsClientOptions), setting('RAIL_KEY_ID'));

export const handler = providerEndpoint(
  contract,
  receiveRailNotification({
    readNotification: simulatedReadRailNotification(railKey),
    findPayment: railInTime(simulatedRail(dynamo, setting('SIMULATED_PAYMENTS_TABLE'))).find,
    settlePayin: payinSettler(
      { ...payinsIn(dynamo, tables.payins), ...payinChangesIn(dynamo, tables, randomUUID) },
      systemClock,
    ),
  }),
);
