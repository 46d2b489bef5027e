import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { createFindUser } from '#shared/clients/user-repository.ts';
import { createIsActiveBank } from '#shared/parameters/parameter-store.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createUnreadablePayins, markingUnreadable } from '#shared/pay-ins/pay-in-lists.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { paymentMethod } from '#shared/pay-ins/payment-methods.ts';
import { methodsByRail, paymentRailsSetting, railByMethodSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import {
  createFindPayment,
  createOrderPayment,
  createPrepareOrder,
  type Rails,
} from '#shared/pay-ins/rails/rail-boundary.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { environment } from '#shared/platform/environment.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { createPayin } from './create-payin.ts';

const bounds = z.record(paymentMethod, z.object({ minimum: z.number(), maximum: z.number() }));

export function wire(
  { dynamo, rails }: Pick<AwsClients, 'dynamo'> & { readonly rails: Rails<'prepare' | 'order' | 'find'> },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    idempotencyTable: 'IDEMPOTENCY_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    usersTable: 'USERS_TABLE',
    mostPerDay: 'MOST_PER_DAY',
    allowancesTable: 'ALLOWANCES_TABLE',
    acceptedMethods: 'ACCEPTED_METHODS',
    payinBounds: 'PAYIN_BOUNDS',
    parametersTable: 'PARAMETERS_TABLE',
    allowsHttpRedirect: 'ALLOWS_HTTP_REDIRECT',
  });
  const tables = environment({ payins: 'PAYINS_TABLE', events: 'EVENTS_TABLE' });
  const payins = createPayinRepository(dynamo, tables, clock);
  const findPayment = markingUnreadable(
    createFindPayment(rails, clock),
    createUnreadablePayins(dynamo, tables.payins, clock),
  );
  const records = createIdempotencyRecords(dynamo, env.idempotencyTable, newId);
  const { clientsTable } = env;
  const findClient = createFindClient(dynamo, clientsTable);
  return approvedEndpoint(
    createPayinContract,
    { dynamo, clientsTable, clock },
    createPayin({
      findUser: createFindUser(dynamo, env.usersTable),
      countCall: createCountCall({
        call: 'payIns',
        mostPerDay: Number(env.mostPerDay),
        findClient,
        allowances: createDailyAllowances(dynamo, env.allowancesTable, clock),
      }),
      acceptedMethods: z.array(paymentMethod).parse(JSON.parse(env.acceptedMethods)),
      payins,
      prepareOrder: createPrepareOrder(rails, clock),
      orderPayment: createOrderPayment(rails, clock),
      findPayment,
      settlePayin: createSettlePayin(payins, findPayment, clock),
      railByMethod: railByMethodSetting(),
      methodsByRail,
      bounds: bounds.parse(JSON.parse(env.payinBounds)),
      isActiveBank: createIsActiveBank(dynamo, env.parametersTable),
      allowsHttpRedirect: env.allowsHttpRedirect === 'true',
      runIdempotently: createRunIdempotently(records, clock, newId),
      clock,
    }),
  );
}

await warmUpApproval();
const rails = paymentRailsSetting(({ prepare, order, find }) => ({
  ...(prepare && { prepare: prepare(systemClock) }),
  order: order(systemClock),
  find: find(systemClock),
}));
export const handler = wire({ dynamo, rails }, systemClock, randomUUID);
