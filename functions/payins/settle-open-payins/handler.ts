import { randomUUID } from 'node:crypto';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { duePayinShards, payinsIn } from '#shared/dynamodb/payins.ts';
import { railInTime } from '#shared/payment-rail/rail-in-time.ts';
import { payinSettler } from '#shared/payment-rail/settle-payin.ts';
import { simulatedRail } from '#shared/payment-rail/simulated/payments.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { settleOpenPayins } from './settle-open-payins.ts';

const tables = { payins: setting('PAYINS_TABLE'), events: setting('EVENTS_TABLE') };
const payins = { ...payinsIn(dynamo, tables.payins), ...payinChangesIn(dynamo, tables, randomUUID) };

export const handler = eachCall(
  'settle-open-payins',
  settleOpenPayins({
    payins,
    shards: duePayinShards,
    findPayment: railInTime(simulatedRail(dynamo, setting('SIMULATED_PAYMENTS_TABLE'))).find,
    settlePayin: payinSettler(payins, systemClock),
    clock: systemClock,
  }),
  (polled) => ({ polled }),
);
