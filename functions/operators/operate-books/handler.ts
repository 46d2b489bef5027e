import { randomUUID } from 'node:crypto';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { operateBooks } from './operate-books.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  return operateBooks({ dynamo, tables: environment({ audit: 'AUDIT_TABLE', books: 'BOOKS_TABLE' }), clock, newId });
}

export const handler = wire({ dynamo }, systemClock, randomUUID);
