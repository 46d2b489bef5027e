import { randomUUID } from 'node:crypto';
import { receiveRailNotification as contract } from '#shared/contracts/rail-notification.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { providerEndpoint } from '#shared/http/endpoints.ts';
import type { PaymentRail } from '#shared/payment-rail/payment-rail.ts';
import { paymentRailSetting } from '#shared/payment-rail/payment-rails.ts';
import { railInTime } from '#shared/payment-rail/rail-in-time.ts';
import { payinSettler } from '#shared/payment-rail/settle-payin.ts';
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

const { order, find, readNotification } = paymentRailSetting(systemClock);
await primed(readNotification({ rawBody: Buffer.alloc(0), headers: new Map() }));
const rail = { order, find, readNotification };
export const handler = wire({ dynamo, rail }, systemClock, randomUUID);
