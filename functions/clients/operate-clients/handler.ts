import { randomBytes, randomUUID } from 'node:crypto';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createClientKeys } from '#shared/clients/client-keys.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { stageLimits } from '#shared/clients/daily-allowances.ts';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
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
  const env = environment({
    eventBusName: 'EVENT_BUS_NAME',
    clientsUsagePlan: 'CLIENTS_USAGE_PLAN',
    mostPerDay: 'MOST_PER_DAY',
  });
  const tables = environment({
    audit: 'AUDIT_TABLE',
    clients: 'CLIENTS_TABLE',
    users: 'USERS_TABLE',
    wallets: 'WALLETS_TABLE',
  });
  const bus = eventBus(eventBridge, env.eventBusName);
  const createKey = createClientKeys(apiGateway, env.clientsUsagePlan);
  const mostPerDay = stageLimits.parse(JSON.parse(env.mostPerDay));
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
