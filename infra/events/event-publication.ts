import { Duration, Tags, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { DeadLetters } from '#infra/platform/dead-letters.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { metricsNamespace } from '#infra/platform/service-log.ts';
import { STREAM_VERSION, tableNamed } from '#infra/platform/tables.ts';
import { OWN_SOURCE } from '#shared/events/notified-events.ts';
import type { ServiceBus } from './event-bus.ts';

/** Publishes each event from its table to the bus: from the table's stream at once, or else by a sweep. */
export class EventPublication extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, bus: ServiceBus) {
    super(scope, id);
    const publish = new ServiceFunction(this, context, {
      folder: 'events/publish-status-changes',
      tables: { events: ['UpdateItem'] },
      memoryMegabytes: 512,
      timeoutSeconds: 30,
      impact: 'Webhooks and other services get status changes a minute or two late, from the sweep.',
    });
    publish.setting('METRICS_NAMESPACE', metricsNamespace(context.stage));
    bus.allowPutting(publish, OWN_SOURCE);
    const unhandled = new DeadLetters(this, 'Unhandled', {
      stage: context.stage,
      impact: 'Webhooks get some events late, from the sweep.',
      isRedoneBySweep: true,
      remedy:
        'Look at the log of publish-status-changes, for codes that begin with EVENT. Messages have only positions in the stream, and can be deleted: the sweep finds the events in the index unpublished.',
    });
    Validations.of(unhandled.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It receives records that could not be handled.',
    });
    publish.lambda.addEventSource(
      // @ts-expect-error the CDK's tables do not fit its own interface under exactOptionalPropertyTypes
      new DynamoEventSource(tableNamed(context.tables, 'events'), {
        startingPosition: StartingPosition.TRIM_HORIZON,
        // The most events that the bus takes in one call.
        batchSize: 10,
        // Batches of one shard at the same time. Order does not matter: webhooks receive events in any order.
        parallelizationFactor: 10,
        bisectBatchOnError: true,
        retryAttempts: 5,
        maxRecordAge: Duration.hours(1),
        onFailure: new SqsDlq(unhandled.queue),
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: { NewImage: { unpublishedIn: { S: FilterRule.exists() } } },
          }),
        ],
      }),
    );
    // Without a change of the mapping itself, a deployment would not notice that the stream has another ARN.
    for (const mapping of publish.lambda.node.children.filter((child) => child instanceof EventSourceMapping)) {
      Tags.of(mapping).add('stream-version', STREAM_VERSION);
    }
    const sweep = new ServiceFunction(this, context, {
      folder: 'events/publish-overdue-changes',
      // Payouts learn of verified deposits from the bus only: what the sweep cannot publish stays unpaid.
      movesMoney: true,
      tables: { events: ['GetItem', 'Query:unpublished', 'UpdateItem'] },
      // A whole processor, for the backlog after an outage of the bus.
      memoryMegabytes: 1769,
      timeoutSeconds: 55,
      impact: 'Status changes that the stream did not publish reach no webhook.',
    });
    bus.allowPutting(sweep, OWN_SOURCE);
    new ScheduledFunction(sweep, 'Publishes overdue status changes.');
  }
}
