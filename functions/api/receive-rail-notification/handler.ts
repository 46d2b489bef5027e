import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { receiveRailNotification as contract } from '#shared/contracts/rail-notification.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { providerEndpoint } from '#shared/http/endpoints.ts';
import { createFetchPublicKey } from '#shared/kms/public-key.ts';
import type { PaymentRail } from '#shared/payment-rail/payment-rail.ts';
import { railInTime } from '#shared/payment-rail/rail-in-time.ts';
import { payinSettler } from '#shared/payment-rail/settle-payin.ts';
import { simulatedReadRailNotification } from '#shared/payment-rail/simulated/notifications.ts';
import { simulatedRail } from '#shared/payment-rail/simulated/payments.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { primed } from '#shared/runtime/primed.ts';
import { receiveRailNotification } from './receive-rail-notification.ts';

export function wire(
  { dynamo, rail }: Pick<AwsClients, 'dynamo'> & { readonly rail: PaymentRail },
  clock: Clock,
  newId: () => string,
) {
  const tables = { payins: setting('PAYINS_TABLE'), events: setting('EVENTS_TABLE') };
  return providerEndpoint(
    contract,
    clock,
    receiveRailNotification({
      readNotification: rail.readNotification,
      findPayment: railInTime(rail, clock).find,
      settlePayin: payinSettler(
        { ...payinsIn(dynamo, tables.payins), ...payinChangesIn(dynamo, tables, clock, newId) },
        clock,
      ),
    }),
  );
}

const fetchKey = createFetchPublicKey(new KMSClient(awsClientOptions), setting('RAIL_KEY_ID'));
await primed(fetchKey());
const rail = {
  ...simulatedRail(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), systemClock),
  readNotification: simulatedReadRailNotification(fetchKey),
};
export const handler = wire({ dynamo, rail }, systemClock, randomUUID);
