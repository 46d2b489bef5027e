import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { bookedCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { lookUpBooks } from './look-up-books.ts';

export function wire(
  { dynamo, custodians }: Pick<AwsClients, 'dynamo'> & { readonly custodians: Custodians<'listMovements'> },
  clock: Clock,
) {
  const tables = environment({ books: 'BOOKS_TABLE', deposits: 'DEPOSITS_TABLE' });
  return lookUpBooks({ dynamo, tables, custodians, timeZone: setting('TIME_ZONE'), clock });
}

export const handler = wire({ dynamo, custodians: bookedCustodians(systemClock) }, systemClock);
