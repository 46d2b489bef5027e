import { Lazy, Stack } from 'aws-cdk-lib';
import { CfnEventBusPolicy, EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { AnyPrincipal, ArnPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceFunction } from '#infra/platform/service-function.ts';
import type { WorkQueue } from '#infra/platform/work-queue.ts';
import type { Settings } from '#infra/settings/read-settings.ts';
import type { Stage } from '#infra/stages.ts';
import { OWN_SOURCE } from '#shared/events/notified-events.ts';

/** It is named like its stack: other services put events on it, and have rules on it, by its name. */
export function createEventBus(scope: Construct, stage: Stage): EventBus {
  return new EventBus(scope, 'EventBus', {
    eventBusName: Stack.of(scope).stackName,
    description: `Status changes of pay-ins, off-ramps and clients, ${stage.name}`,
  });
}

interface ServiceBusProps {
  readonly eventBus: EventBus;
  readonly stage: Stage;
}

/**
 * This service publishes its events on it, and other services publish theirs. An event says itself of which service it
 * comes, so a source is kept for its publishers: our own for two functions, others for whom the settings name.
 */
export class ServiceBus extends Construct {
  readonly #eventBus: EventBus;
  readonly #publishers: NonNullable<Settings['publishers']>;
  /** Roles of functions here that may put events of a source. */
  readonly #ownRoles = new Map<string, string[]>();

  constructor(scope: Construct, id: string, { eventBus, stage }: ServiceBusProps) {
    super(scope, id);
    this.#eventBus = eventBus;
    this.#publishers = stage.settings.publishers ?? {};
    // The local AWS knows no policy of a bus.
    if (stage.name === 'local') return;
    for (const source of new Set([OWN_SOURCE, ...Object.keys(this.#publishers)])) this.#keepForPublishers(source);
  }

  /** Queues every event that fits; one that the queue does not take within a day is put with its dead letters. */
  queueEvents(to: WorkQueue, id: string, rule: { description: string; eventPattern: EventPattern }): void {
    const others = Object.values(this.#publishers).flat().map(accountOf);
    const account = [...new Set([Stack.of(this).account, ...others])];
    new Rule(to, id, {
      description: rule.description,
      eventPattern: { ...rule.eventPattern, account },
      eventBus: this.#eventBus,
      targets: [new SqsQueue(to.queue, { deadLetterQueue: to.deadLetters })],
    });
  }

  /** The function may put events of these sources on this bus, and no others. */
  allowPutting(fn: ServiceFunction, ...sources: readonly string[]): ServiceFunction {
    const { role } = fn.lambda;
    for (const source of sources) {
      if (role !== undefined) this.#ownRoles.set(source, [...this.#rolesOf(source), role.roleArn]);
    }
    return fn
      .setting('EVENT_BUS_NAME', this.#eventBus.eventBusName)
      .grant(['events:PutEvents'], [this.#eventBus.eventBusArn], onlyOf(sources));
  }

  #rolesOf(source: string): readonly string[] {
    return this.#ownRoles.get(source) ?? [];
  }

  /** Others in the account may be allowed to put events anywhere; they cannot put those of this source here. */
  #keepForPublishers(source: string): void {
    const named = this.#publishers[source] ?? [];
    const put = { actions: ['events:PutEvents'], resources: [this.#eventBus.eventBusArn] };
    const sid = source.replaceAll(/\W/g, '');
    this.#addPolicy(
      new PolicyStatement({
        ...put,
        sid: `${sid}OfNobodyElse`,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        conditions: {
          'ForAnyValue:StringEquals': { 'events:source': source },
          ArnNotEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => [...this.#rolesOf(source), ...named] }) },
        },
      }),
    );
    if (named.length === 0) return;
    const principals = named.map((arn) => new ArnPrincipal(arn));
    this.#addPolicy(new PolicyStatement({ ...put, sid, principals, conditions: onlyOf([source]) }));
  }

  /** It stands here and not with the bus, because it names roles, which stand here. */
  #addPolicy(statement: PolicyStatement): void {
    const statementId = statement.sid ?? '';
    const { eventBusName } = this.#eventBus;
    new CfnEventBusPolicy(this, statementId, { eventBusName, statement: statement.toJSON(), statementId });
  }
}

/** One call puts several events, each with its source: all of them have to be of these. One without is not taken. */
function onlyOf(sources: readonly string[]) {
  return { 'ForAllValues:StringEquals': { 'events:source': sources } };
}

/** `arn:aws:iam::{account}:role/…` */
function accountOf(principalArn: string): string {
  return principalArn.split(':')[4] ?? '';
}
