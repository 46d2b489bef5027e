import { createUnreadablePayins, markingUnreadable } from '#shared/pay-ins/pay-in-lists.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { notifyingRailsSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import { createFindPayment, type Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { type AwsClients, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import { receiveRailNotification } from './receive-rail-notification.ts';

export function wire(
  { dynamo, rails }: Pick<AwsClients, 'dynamo'> & { readonly rails: Rails<'find' | 'readNotification'> },
  clock: Clock,
) {
  const tables = environment({ payins: 'PAYINS_TABLE', events: 'EVENTS_TABLE' });
  const payins = createPayinRepository(dynamo, tables, clock);
  const unreadable = createUnreadablePayins(dynamo, tables.payins, clock);
  const findPayment = markingUnreadable(createFindPayment(rails, clock), unreadable);
  return providerEndpoint(
    receiveRailNotificationContract,
    clock,
    receiveRailNotification({
      rails,
      findPayin: payins.find,
      findPayment,
      settlePayin: createSettlePayin(payins, findPayment, clock),
      pollAgainAt: payins.pollAgainAt,
      clock,
    }),
  );
}

const rails = notifyingRailsSetting(systemClock);
const nothing = { rawBody: Buffer.alloc(0), headers: new Map(), query: {} };
await Promise.all([...rails.values()].map(({ readNotification }) => warmUp(readNotification(nothing))));
export const handler = wire({ dynamo, rails }, systemClock);
