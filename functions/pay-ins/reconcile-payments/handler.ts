import { createFindPayins } from '#shared/pay-ins/pay-in-lists.ts';
import { createPollPayinNow, createRecordOtherPayment } from '#shared/pay-ins/pay-in-repository.ts';
import { paymentRailsSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import type { Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { createListPasses } from './list-passes.ts';
import { reconcilePayments } from './reconcile-payments.ts';

export function wire(
  { dynamo, rails }: Pick<AwsClients, 'dynamo'> & { readonly rails: Rails<'listPayments'> },
  clock: Clock,
) {
  const { payins } = environment({ payins: 'PAYINS_TABLE' });
  return logEachCall(
    'reconcile-payments',
    clock,
    reconcilePayments({
      rails,
      passes: createListPasses(dynamo, payins, clock),
      findPayins: createFindPayins(dynamo, payins, clock),
      pollPayinNow: createPollPayinNow(dynamo, payins, clock),
      recordOtherPayment: createRecordOtherPayment(dynamo, payins, clock),
      clock,
    }),
    (polled) => ({ polled }),
  );
}

const rails = paymentRailsSetting(({ listPayments }) => ({ listPayments: listPayments(systemClock) }));
export const handler = wire({ dynamo, rails }, systemClock);
