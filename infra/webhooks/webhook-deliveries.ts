import { Duration } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { ServiceBus } from '#infra/events/event-bus.ts';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import { alarmOnMessages } from '#infra/platform/message-alarms.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWithCode } from '#infra/platform/service-log.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import { notifiedPrefixes, OWN_SOURCE } from '#shared/events/notified-events.ts';
import { eventTypeOf, publishedEvents as ownEvents } from './published-events.ts';

interface WebhookDeliveriesProps {
  readonly bus: ServiceBus;
  readonly secretsKey: IKey;
}

/** Receives of a message before it is a dead letter. The attempt is in the table, where the sweep finds it. */
const MOST_RECEIVES = 5;

/** From bus to endpoint: one delivery per event and webhook, signed, retried, and never at the expense of another's. */
export class WebhookDeliveries extends Construct {
  readonly #context: FunctionContext;
  readonly #first: WorkQueue;
  readonly #retries: WorkQueue;
  readonly #replays: WorkQueue;

  constructor(scope: Construct, id: string, context: FunctionContext, props: WebhookDeliveriesProps) {
    super(scope, id);
    this.#context = context;
    const impact = 'A webhook gets a delivery late: the sweep sends its message again.';
    const attempts = { visibilitySeconds: 180, maxReceives: MOST_RECEIVES, impact, isRedoneBySweep: true } as const;
    this.#first = this.#queue('FirstAttempts', attempts);
    this.#retries = this.#queue('Retries', attempts);
    this.#replays = this.#queue('Replays', {
      visibilitySeconds: 360,
      maxReceives: 20,
      impact: 'Replays that a client requested are not sent.',
    });
    this.#fanOut(props.bus);
    this.#deliver(props.secretsKey);
    this.#replay();
    this.#sweep();
  }

  /** Lets a function request attempts after the first. */
  allowRetrying(fn: ServiceFunction): ServiceFunction {
    return this.#retries.allowSending(fn, 'DELIVERY_RETRY_QUEUE');
  }

  allowReplaying(fn: ServiceFunction): ServiceFunction {
    return this.#replays.allowSending(fn, 'REPLAYS_QUEUE');
  }

  #fanOut(bus: ServiceBus): void {
    const events = this.#queue('Events', {
      visibilitySeconds: 180,
      maxReceives: 20,
      impact: 'Webhooks do not get an event.',
    });
    const detailType = Match.anyOf(...notifiedPrefixes.map((prefix) => Match.prefix(prefix)));
    const sources = [OWN_SOURCE, ...bus.otherSources];
    bus.queueEvents(events, 'Notified', {
      description:
        'Events that are delivered to webhooks: those of this service, and of services that the settings name.',
      eventPattern: { source: sources, detailType },
    });
    bus.queueEvents(events, 'NotOurs', {
      description:
        'Events of other sources: no webhook receives them, and an alarm goes off, which a rule cannot raise.',
      eventPattern: { source: Match.anythingBut(...sources), detailType },
      input: { template: '{"notOurs":<aws.events.event.json>}' },
    });
    const fanOut = new ServiceFunction(this, this.#context, {
      folder: 'webhooks/fan-out-event',
      tables: {
        events: ['GetItem', 'PutItem'],
        webhooks: ['Query'],
        webhookHealth: ['GetItem'],
        deliveries: ['PutItem'],
      },
      // A whole processor: an event of a client with a hundred webhooks must not make the others of its batch wait.
      memoryMegabytes: 1769,
      timeoutSeconds: 30,
      impact: 'Webhooks get no new events until it works again; nothing is lost for 14 days.',
    })
      .setting('OWN_EVENT_TYPES', JSON.stringify(ownEvents.map(eventTypeOf)))
      .setting('OTHER_SOURCES', JSON.stringify(bus.otherSources));
    this.#first.allowSending(fanOut, 'DELIVERY_FIRST_QUEUE');
    events.consumedBy(fanOut, { batchSize: 5, maxConcurrency: this.#context.stage.consumersPerQueue });
    alarmOnMessages(fanOut, { codes: ['MESSAGE_FAILED'] });
  }

  #deliver(secretsKey: IKey): void {
    const { deliverySlots, webhooksToThisMachine } = this.#context.stage;
    const deliver = new ServiceFunction(this, this.#context, {
      folder: 'webhooks/deliver-webhook',
      tables: {
        deliveries: ['UpdateItem'],
        events: ['GetItem'],
        webhooks: ['GetItem', 'UpdateItem'],
        webhookHealth: ['GetItem', 'PutItem'],
        slots: ['PutItem', 'DeleteItem'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 30,
      impact: 'Webhooks are not called, or one was deactivated because its endpoint failed for five days.',
      allowRecursion: true,
    })
      .useKey('WEBHOOK_SECRETS_KEY_ID', secretsKey, 'kms:Decrypt')
      .setting('WEBHOOKS_TO_THIS_MACHINE', String(webhooksToThisMachine))
      .setting('DELIVERY_SHARES', JSON.stringify(deliverySlots));
    this.#first.allowSending(deliver, 'DELIVERY_FIRST_QUEUE');
    this.allowRetrying(deliver);
    // One at a time: a slow endpoint must not hold up others of the same batch.
    this.#first.consumedBy(deliver, { batchSize: 1, maxConcurrency: deliverySlots.first.all });
    this.#retries.consumedBy(deliver, { batchSize: 1, maxConcurrency: deliverySlots.retries.all });
    this.#noticePauses(deliver);
    // Only the service's own faults: a failing endpoint is the client's.
    alarmOnMessages(deliver, { codes: ['DELIVERY_NOT_ATTEMPTED', 'MESSAGE_FAILED'], most: 100 });
  }

  #noticePauses({ log }: ServiceFunction): void {
    const paused = log.count('Paused', {
      lines: linesWithCode('WEBHOOK_PAUSED'),
      metricName: 'webhooks paused',
      countsZeros: true,
    });
    new FailureAlarm(this, 'WebhookPaused', {
      description:
        'The endpoint of a client has failed for a day: its webhook gets no new deliveries until it answers. Look at the log of webhooks/deliver-webhook for WEBHOOK_PAUSED, which names both, and tell the client.',
      runbook: 'a-webhook-is-paused',
      metric: paused.metric({ period: Duration.minutes(5), statistic: 'Sum' }),
      threshold: 1,
      callsPeople: false,
    });
  }

  #replay(): void {
    const replay = new ServiceFunction(this, this.#context, {
      folder: 'webhooks/replay-client-events',
      tables: {
        events: ['GetItem', 'Query:byClient', 'Query:unpublished'],
        webhooks: ['GetItem'],
        deliveries: ['PutItem', 'UpdateItem'],
        slots: ['PutItem', 'DeleteItem'],
      },
      memoryMegabytes: 512,
      timeoutSeconds: 60,
      impact: 'Replays that clients request are not sent to their webhooks.',
      allowRecursion: true,
    });
    this.allowRetrying(replay);
    // A run without time for everything leaves the rest to another run.
    this.allowReplaying(replay);
    this.#replays.consumedBy(replay, { batchSize: 1, maxConcurrency: 5 });
    alarmOnMessages(replay, { codes: ['MESSAGE_FAILED'] });
  }

  #sweep(): void {
    const release = new ServiceFunction(this, this.#context, {
      folder: 'webhooks/release-due-deliveries',
      tables: {
        deliveries: ['Query:due', 'UpdateItem'],
        clients: ['Query:byName'],
        webhooks: ['GetItem'],
        webhookHealth: ['GetItem', 'Query:due', 'PutItem'],
      },
      // A whole processor: it hands out tens of thousands of deliveries a minute.
      memoryMegabytes: 1769,
      // Seconds: up to 5 for webhooks and 48 for deliveries, and the calls that are in progress by then.
      timeoutSeconds: 59,
      impact: 'Webhooks get no retries later than 15 minutes after a failure, and none after a lost message.',
    });
    this.allowRetrying(release);
    this.allowReplaying(release);
    new ScheduledFunction(release, 'Queues due deliveries.');
  }

  #queue(id: string, props: Omit<ConstructorParameters<typeof WorkQueue>[2], 'stage'>): WorkQueue {
    return new WorkQueue(this, id, { stage: this.#context.stage, ...props });
  }
}
