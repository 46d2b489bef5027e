import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { createPublishEvents } from '#shared/events/publish-events.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { publishOverdueChanges } from './publish-overdue-changes.ts';

export function wire({ dynamo, eventBridge }: Pick<AwsClients, 'dynamo' | 'eventBridge'>, clock: Clock) {
  const env = environment({ eventsTable: 'EVENTS_TABLE', eventBusName: 'EVENT_BUS_NAME' });
  const events = createEventRepository(dynamo, env.eventsTable);
  return logEachCall(
    'publish-overdue-changes',
    clock,
    publishOverdueChanges({
      events,
      publish: createPublishEvents({
        bus: eventBus(eventBridge, env.eventBusName),
        events,
        clock,
      }),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, eventBridge: new EventBridgeClient(awsClientOptions) }, systemClock);
