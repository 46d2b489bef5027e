import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { createPayin as contract } from '#shared/contracts/create-payin.ts';
import { rails } from '#shared/domain/payin.ts';
import { activeBankCodesIn } from '#shared/dynamodb/bank-codes.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { idempotencyRecordsIn } from '#shared/dynamodb/idempotency-records.ts';
import { payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { idempotently } from '#shared/http/idempotency.ts';
import type { PaymentRail } from '#shared/payment-rail/payment-rail.ts';
import { paymentRailSetting } from '#shared/payment-rail/payment-rails.ts';
import { railInTime } from '#shared/payment-rail/rail-in-time.ts';
import { payinSettler } from '#shared/payment-rail/settle-payin.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
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
