import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { createFindUser } from '#shared/clients/user-repository.ts';
import { createIsActiveBank } from '#shared/parameters/parameter-store.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createUnreadablePayins, rememberUnreadable } from '#shared/pay-ins/pay-in-lists.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { paymentRailSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import { railBoundary } from '#shared/pay-ins/rails/rail-boundary.ts';
import { paymentMethod } from '#shared/pay-ins/rails/rail-specs.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { setting } from '#shared/platform/environment.ts';
import { idempotently } from '#shared/platform/http/idempotency.ts';
import { createPayin } from './create-payin.ts';

const bounds = z.record(paymentMethod, z.object({ minimum: z.number(), maximum: z.number() }));

export function wire(
  { dynamo, rail }: Pick<AwsClients, 'dynamo'> & { readonly rail: Pick<PaymentRail, 'order' | 'find'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = { payins: setting('PAYINS_TABLE'), events: setting('EVENTS_TABLE') };
  const payins = createPayinRepository(dynamo, tables, clock);
  const { order, find } = railBoundary(rail, clock);
  const findPayment = rememberUnreadable(find, createUnreadablePayins(dynamo, tables.payins, clock));
  const records = createIdempotencyRecords(dynamo, setting('IDEMPOTENCY_TABLE'), newId);
  const clientsTable = setting('CLIENTS_TABLE');
  const findClient = createFindClient(dynamo, clientsTable);
  return approvedEndpoint(
    createPayinContract,
    { dynamo, clientsTable, clock },
    createPayin({
      findUser: createFindUser(dynamo, setting('USERS_TABLE')),
      countCall: createCountCall({
        call: 'payIns',
        mostPerDay: Number(setting('MOST_PER_DAY')),
        findClient,
        allowances: createDailyAllowances(dynamo, setting('ALLOWANCES_TABLE'), clock),
      }),
      createsPayins: setting('CREATES_PAYINS') === 'true',
      payins,
      orderPayment: order,
      findPayment,
      settlePayin: createSettlePayin(payins, findPayment, clock),
      bounds: bounds.parse(JSON.parse(setting('PAYIN_BOUNDS'))),
      isActiveBank: createIsActiveBank(dynamo, setting('PARAMETERS_TABLE')),
      allowsHttpRedirect: setting('ALLOWS_HTTP_REDIRECT') === 'true',
      idempotently: idempotently(records, clock, newId),
      clock,
    }),
  );
}

await warmUpApproval({ dynamo, clientsTable: setting('CLIENTS_TABLE') });
export const handler = wire({ dynamo, rail: paymentRailSetting(systemClock) }, systemClock, randomUUID);
