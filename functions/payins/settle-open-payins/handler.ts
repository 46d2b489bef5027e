import { randomUUID } from 'node:crypto';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { duePayinShards, payinsIn } from '#shared/dynamodb/payins.ts';
import type { PaymentRail } from '#shared/payment-rail/payment-rail.ts';
import { paymentRailSetting } from '#shared/payment-rail/payment-rails.ts';
import { railInTime } from '#shared/payment-rail/rail-in-time.ts';
import { payinSettler } from '#shared/payment-rail/settle-payin.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { settleOpenPayins } from './settle-open-payins.ts';

export function wire(
  { dynamo, rail }: Pick<AwsClients, 'dynamo'> & { readonly rail: Pick<PaymentRail, 'order' | 'find'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = { payins: setting('PAYINS_TABLE'), events: setting('EVENTS_TABLE') };
  const payins = { ...payinsIn(dynamo, tables.payins), ...payinChangesIn(dynamo, tables, clock, newId) };
  return eachCall(
    'settle-open-payins',
    clock,
    settleOpenPayins({
      payins,
      shards: duePayinShards,
      findPayment: railInTime(rail, clock).find,
      settlePayin: payinSettler(payins, clock),
      clock,
    }),
    (polled) => ({ polled }),
  );
}

export const handler = wire({ dynamo, rail: paymentRailSetting(systemClock) }, systemClock, randomUUID);
