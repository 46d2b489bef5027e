import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { simulateOperation as contract } from '#shared/contracts/simulate-operation.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { approvedEndpoint } from '#shared/http/endpoints.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { setting } from '#shared/runtime/environment.ts';
import { simulateOperation } from './simulate-operation.ts';

export const handler = approvedEndpoint(
  contract,
  clientsIn(dynamo, setting('CLIENTS_TABLE')),
  simulateOperation({
    operations: operationsIn(dynamo, setting('OPERATIONS_TABLE')),
    bus: eventBus(new EventBridgeClient(awsClientOptions), setting('EVENT_BUS_NAME')),
  }),
);
