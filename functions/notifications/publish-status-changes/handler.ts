import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { dynamo } from '#shared/dynamodb/client.ts';
import { eventsIn } from '#shared/dynamodb/events.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { eventPublisher } from '#shared/eventbridge/publish-events.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { publishStatusChanges } from './publish-status-changes.ts';

export const handler = eachCall(
  'publish-status-changes',
  publishStatusChanges(
    eventPublisher({
      bus: eventBus(new EventBridgeClient(awsClientOptions), setting('EVENT_BUS_NAME')),
      events: eventsIn(dynamo, setting('EVENTS_TABLE')),
      clock: systemClock,
    }),
  ),
  (events) => ({ events }),
);
