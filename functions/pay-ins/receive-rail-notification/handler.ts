import { createUnreadablePayins, rememberUnreadable } from '#shared/pay-ins/pay-in-lists.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { paymentRailSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import { railBoundary } from '#shared/pay-ins/rails/rail-boundary.ts';
import { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import { warmUp } from '#shared/platform/warm-up.ts';
import { receiveRailNotification } from './receive-rail-notification.ts';

export function wire({ dynamo, rail }: Pick<AwsClients, 'dynamo'> & { readonly rail: PaymentRail }, clock: Clock) {
  const tables = environment({ payins: 'PAYINS_TABLE', events: 'EVENTS_TABLE' });
  const payins = createPayinRepository(dynamo, tables, clock);
  const unreadable = createUnreadablePayins(dynamo, tables.payins, clock);
  const findPayment = rememberUnreadable(railBoundary(rail, clock).find, unreadable);
  return providerEndpoint(
    receiveRailNotificationContract,
    clock,
    receiveRailNotification({
      readNotification: rail.readNotification,
      findPayin: payins.find,
      findPayment,
      settlePayin: createSettlePayin(payins, findPayment, clock),
      pollAgainAt: payins.pollAgainAt,
      clock,
    }),
  );
}

const { order, find, readNotification } = paymentRailSetting(systemClock);
await warmUp(readNotification({ rawBody: Buffer.alloc(0), headers: new Map() }));
const rail = { order, find, readNotification };
export const handler = wire({ dynamo, rail }, systemClock);
