import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { createPublishEvents } from '#shared/events/publish-events.ts';
import { externalEventId } from '#shared/events/service-event.ts';
import { type AwsClients, awsClientOptions, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { gaugesLine, logEachCall } from '#shared/platform/logger.ts';
import { publishStatusChanges } from './publish-status-changes.ts';

export function wire(
  {
    dynamo,
    eventBridge,
    writeLine,
  }: Pick<AwsClients, 'dynamo' | 'eventBridge'> & { readonly writeLine: (line: string) => void },
  clock: Clock,
) {
  const env = environment({
    eventBusName: 'EVENT_BUS_NAME',
    eventsTable: 'EVENTS_TABLE',
    metricsNamespace: 'METRICS_NAMESPACE',
  });
  return logEachCall(
    'publish-status-changes',
    clock,
    publishStatusChanges(
      createPublishEvents({
        bus: eventBus(eventBridge, env.eventBusName),
        events: createEventRepository(dynamo, env.eventsTable),
        clock,
      }),
      (changes) => writeLine(gaugesLine(env.metricsNamespace, changes, clock.now())),
    ),
    (events) => ({ events }),
  );
}

const eventBridge = new EventBridgeClient(awsClientOptions);
await Promise.all([
  warmUp(
    createEventRepository(dynamo, setting('EVENTS_TABLE')).markPublished(externalEventId('', 'none'), systemClock),
  ),
  warmUp(eventBus(eventBridge, setting('EVENT_BUS_NAME')).put([])),
]);
export const handler = wire(
  { dynamo, eventBridge, writeLine: (line) => process.stdout.write(`${line}\n`) },
  systemClock,
);
