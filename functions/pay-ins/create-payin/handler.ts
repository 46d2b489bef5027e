import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { usersIn } from '#shared/clients/user-store.ts';
import { activeBankCodesIn } from '#shared/parameters/bank-codes.ts';
import { createPayin as contract } from '#shared/pay-ins/create-payin-contract.ts';
import { rails } from '#shared/pay-ins/payin.ts';
import { payinChangesIn } from '#shared/pay-ins/payin-changes.ts';
import { payinsIn } from '#shared/pay-ins/payin-store.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { paymentRailSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import { railInTime } from '#shared/pay-ins/rails/rail-in-time.ts';
import { payinSettler } from '#shared/pay-ins/settle-payin.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { idempotencyRecordsIn } from '#shared/platform/dynamodb/idempotency-records.ts';
import { setting } from '#shared/platform/environment.ts';
import { idempotently } from '#shared/platform/http/idempotency.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { createPayin } from './create-payin.ts';

const bounds = z.record(z.enum(rails), z.object({ minimum: z.number(), maximum: z.number() }));

export function wire(
  { dynamo, rail }: Pick<AwsClients, 'dynamo'> & { readonly rail: Pick<PaymentRail, 'order' | 'find'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = { payins: setting('PAYINS_TABLE'), events: setting('EVENTS_TABLE') };
  const payins = { ...payinsIn(dynamo, tables.payins), ...payinChangesIn(dynamo, tables, clock, newId) };
  const { order, find } = railInTime(rail, clock);
  const records = idempotencyRecordsIn(dynamo, setting('IDEMPOTENCY_TABLE'), newId);
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    createPayin({
      findUser: usersIn(dynamo, setting('USERS_TABLE')),
      createsPayins: setting('CREATES_PAYINS') === 'true',
      payins,
      orderPayment: order,
      findPayment: find,
      settlePayin: payinSettler(payins, clock),
      bounds: bounds.parse(JSON.parse(setting('PAYIN_BOUNDS'))),
      isActiveBank: activeBankCodesIn(dynamo, setting('PARAMETERS_TABLE')),
      allowsHttpRedirect: setting('ALLOWS_HTTP_REDIRECT') === 'true',
      idempotently: idempotently(records, clock, newId),
      clock,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, rail: paymentRailSetting(systemClock) }, systemClock, randomUUID);
