import { createFindPayins } from '#shared/pay-ins/pay-in-lists.ts';
import { paymentRailsSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import type { Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { balancePayments } from './balance-payments.ts';

export function wire(
  { dynamo, rails }: Pick<AwsClients, 'dynamo'> & { readonly rails: Rails<'listPayments'> },
  clock: Clock,
) {
  const env = environment({ books: 'BOOKS_TABLE', payins: 'PAYINS_TABLE', timeZone: 'TIME_ZONE' });
  return logEachCall(
    'balance-payments',
    clock,
    balancePayments({
      rails,
      books: createBooks(dynamo, env.books, clock),
      findPayins: createFindPayins(dynamo, env.payins, clock),
      timeZone: env.timeZone,
      clock,
    }),
    (days) => ({ days }),
  );
}

const rails = paymentRailsSetting(({ listPayments }) => ({ listPayments: listPayments(systemClock) }));
export const handler = wire({ dynamo, rails }, systemClock);
