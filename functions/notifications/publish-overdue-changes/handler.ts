import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { dynamo } from '#shared/dynamodb/client.ts';
import { eventsIn, unpublishedShards } from '#shared/dynamodb/events.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { eventPublisher } from '#shared/eventbridge/publish-events.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { publishOverdueChanges } from './publish-overdue-changes.ts';

export function wire({ dynamo, eventBridge }: Pick<AwsClients, 'dynamo' | 'eventBridge'>, clock: Clock) {
  const events = eventsIn(dynamo, setting('EVENTS_TABLE'));
  return eachCall(
    'publish-overdue-changes',
    clock,
    publishOverdueChanges({
      events,
      shards: unpublishedShards,
      publish: eventPublisher({
        bus: eventBus(eventBridge, setting('EVENT_BUS_NAME')),
        events,
        clock,
      }),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, eventBridge: new EventBridgeClient(awsClientOptions) }, systemClock);
