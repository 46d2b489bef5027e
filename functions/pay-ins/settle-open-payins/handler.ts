import { createListClientIds } from '#shared/clients/client-directory.ts';
import { createUnreadablePayins, markingUnreadable } from '#shared/pay-ins/pay-in-lists.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { paymentRailsSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import { createFindPayment, LONGEST_POLL, type Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { settleOpenPayins } from './settle-open-payins.ts';

export function wire({ dynamo, rails }: Pick<AwsClients, 'dynamo'> & { readonly rails: Rails<'find'> }, clock: Clock) {
  const tables = environment({ payins: 'PAYINS_TABLE', events: 'EVENTS_TABLE' });
  const payins = createPayinRepository(dynamo, tables, clock);
  const unreadable = createUnreadablePayins(dynamo, tables.payins, clock);
  const findPayment = markingUnreadable(createFindPayment(rails, clock, LONGEST_POLL), unreadable);
  return logEachCall(
    'settle-open-payins',
    clock,
    settleOpenPayins({
      payins,
      listClientIds: createListClientIds(dynamo, setting('CLIENTS_TABLE')),
      unreadable,
      findPayment,
      settlePayin: createSettlePayin(payins, findPayment, clock),
      clock,
    }),
    (polled) => ({ polled }),
  );
}

const rails = paymentRailsSetting(({ find }) => ({ find: find(systemClock) }));
export const handler = wire({ dynamo, rails }, systemClock);
