import { randomBytes, randomUUID } from 'node:crypto';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createClientKeys } from '#shared/clients/client-keys.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { stageLimits } from '#shared/clients/daily-allowances.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { operateClients } from './operate-clients.ts';

export function wire(
  {
    apiGateway,
    dynamo,
    eventBridge,
    randomBytes,
  }: Pick<AwsClients, 'apiGateway' | 'dynamo' | 'eventBridge'> & { readonly randomBytes: (size: number) => Buffer },
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    audit: setting('AUDIT_TABLE'),
    clients: setting('CLIENTS_TABLE'),
    users: setting('USERS_TABLE'),
    wallets: setting('WALLETS_TABLE'),
  };
  const bus = eventBus(eventBridge, setting('EVENT_BUS_NAME'));
  const createKey = createClientKeys(apiGateway, setting('CLIENTS_USAGE_PLAN'));
  const mostPerDay = stageLimits.parse(JSON.parse(setting('MOST_PER_DAY')));
  return operateClients({ dynamo, tables, bus, createKey, mostPerDay, clock, newId, randomBytes });
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire(
  {
    apiGateway: new APIGatewayClient(awsClientOptions),
    dynamo,
    eventBridge: new EventBridgeClient(awsClientOptions),
    randomBytes,
  },
  systemClock,
  randomUUID,
);
