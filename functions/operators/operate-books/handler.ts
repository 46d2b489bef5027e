import { randomUUID } from 'node:crypto';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { operateBooks } from './operate-books.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  const tables = environment({ audit: 'AUDIT_TABLE', books: 'BOOKS_TABLE', proposals: 'PROPOSALS_TABLE' });
  return operateBooks({ dynamo, tables, timeZone: setting('TIME_ZONE'), clock, newId });
}

export const handler = wire({ dynamo }, systemClock, randomUUID);
