import { CfnResource, Lazy, Names, Stack } from 'aws-cdk-lib';
import { EventBus, type EventPattern, Rule, type RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { AnyPrincipal, ArnPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { namedRoleArn } from '#infra/platform/named-roles.ts';
import { removalPolicyOf } from '#infra/platform/removal-policy.ts';
import type { ServiceFunction } from '#infra/platform/service-function.ts';
import type { WorkQueue } from '#infra/platform/work-queue.ts';
import type { Settings } from '#infra/stage/settings.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { OWN_SOURCE } from '#shared/events/notified-events.ts';

/** Creates the bus under the name of its stack, by which other services put events on it and have rules on it. */
export function createEventBus(scope: Construct, stage: Stage): EventBus {
  const bus = new EventBus(scope, 'EventBus', {
    eventBusName: Stack.of(scope).stackName,
    description: `Status changes of pay-ins, off-ramps and clients, ${stage.name}`,
  });
  // Deleting a bus deletes all rules on it, those of other services too, and no deployment would notice.
  bus.applyRemovalPolicy(removalPolicyOf(stage));
  return bus;
}

interface ServiceBusProps {
  readonly eventBus: EventBus;
  readonly stage: Stage;
}

/** An EventBridge template for the message that a queue gets in place of the event. */
interface QueuedInput {
  /**
   * Only variables that EventBridge makes itself: it does not escape texts of an event, so a sender could add members.
   */
  readonly template: string;
}

/**
 * The bus for the events of this service and of others. An event names its own source, so each source is reserved: the
 * service's own for two functions; the sources that move money or approve clients, and all that the settings name, for
 * the roles named there and for functions of this service.
 */
export class ServiceBus extends Construct {
  readonly #eventBus: EventBus;
  readonly #publishers: NonNullable<Settings['publishers']>;
  /** Roles of this service's functions that may put events, by source. */
  readonly #ownRoles = new Map<string, string[]>();
  /** The policy that was added last. */
  #last: CfnResource | undefined;

  constructor(scope: Construct, id: string, { eventBus, stage }: ServiceBusProps) {
    super(scope, id);
    this.#eventBus = eventBus;
    this.#publishers = stage.settings.publishers ?? {};
    // The local AWS keeps nothing, and has no policies of a bus.
    if (!stage.keepsData) return;
    for (const source of new Set([OWN_SOURCE, COMPLIANCE, PAYOUTS, ...this.otherSources])) this.#keepFor(source);
  }

  /** The sources of the services that the settings name. */
  get otherSources(): readonly string[] {
    return Object.keys(this.#publishers);
  }

  /** Queues every event that matches; one that the queue does not take within a day goes to its dead letters. */
  queueEvents(
    to: WorkQueue,
    id: string,
    { input, ...rule }: { description: string; eventPattern: EventPattern; input?: QueuedInput },
  ): void {
    const others = Object.values(this.#publishers).flat().map(accountOf);
    const account = [...new Set([Stack.of(this).account, ...others])];
    new Rule(to, id, {
      description: rule.description,
      eventPattern: { ...rule.eventPattern, account },
      eventBus: this.#eventBus,
      targets: [
        new SqsQueue(to.queue, {
          deadLetterQueue: to.deadLetters,
          ...(input && { message: inputOf(input) }),
        }),
      ],
    });
  }

  /** Allows the function to put events of these sources, and no others, on this bus. */
  allowPutting(fn: ServiceFunction, ...sources: readonly string[]): ServiceFunction {
    for (const source of sources) this.#ownRoles.set(source, [...this.#rolesOf(source), this.#roleOf(fn)]);
    return fn
      .setting('EVENT_BUS_NAME', this.#eventBus.eventBusName)
      .grant(['events:PutEvents'], [this.#eventBus.eventBusArn], onlyOf(sources));
  }

  /** The role of a function in another stack, which is deployed later, is known by its fixed name. */
  #roleOf(fn: ServiceFunction): string {
    const { role } = fn.lambda;
    return role !== undefined && Stack.of(fn) === Stack.of(this) ? role.roleArn : namedRoleArn(fn, fn.folder);
  }

  #rolesOf(source: string): readonly string[] {
    return this.#ownRoles.get(source) ?? [];
  }

  /** Denies events of this source to everybody else, whatever their policies in the account allow. */
  #keepFor(source: string): void {
    const named = this.#publishers[source] ?? [];
    const put = { actions: ['events:PutEvents'], resources: [this.#eventBus.eventBusArn] };
    const id = source.replaceAll(/\W/g, '');
    this.#addPolicy(`${id}OfNobodyElse`, () => {
      const allowed = [...this.#rolesOf(source), ...named];
      return new PolicyStatement({
        ...put,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        conditions: {
          'ForAnyValue:StringEquals': { 'events:source': source },
          // AWS refuses a condition without values; without the condition, nobody is excepted.
          ...(allowed.length > 0 && { ArnNotEquals: { 'aws:PrincipalArn': allowed } }),
        },
      });
    });
    if (named.length === 0) return;
    const principals = named.map((arn) => new ArnPrincipal(arn));
    this.#addPolicy(id, () => new PolicyStatement({ ...put, principals, conditions: onlyOf([source]) }));
  }

  /**
   * The policy names roles of this stack, so it cannot be in the stack of the bus. Its statements are made last, when
   * all roles exist.
   */
  #addPolicy(id: string, statement: () => PolicyStatement): void {
    const { eventBusName } = this.#eventBus;
    // CloudFormation identifies a policy by this id alone, among those of all buses and stacks of an account and
    // region.
    const statementId = (): string => Names.uniqueResourceName(policy, { maxLength: 64 });
    // The CDK's own class warns of a property that it reads itself.
    const policy = new CfnResource(this, id, {
      type: 'AWS::Events::EventBusPolicy',
      properties: {
        EventBusName: eventBusName,
        Statement: Lazy.any({ produce: () => ({ Sid: statementId(), ...statement().toStatementJson() }) }),
        StatementId: Lazy.string({ produce: statementId }),
      },
    });
    // One after another: EventBridge accepts two changes at the same time, and may keep only one of them.
    if (this.#last) policy.addResourceDependency(this.#last);
    this.#last = policy;
  }
}

/** All events of a call must have one of these sources; AWS refuses an event without one. */
function onlyOf(sources: readonly string[]) {
  return { 'ForAllValues:StringEquals': { 'events:source': sources } };
}

function inputOf({ template }: QueuedInput): RuleTargetInput {
  return { bind: () => ({ inputTemplate: template }) };
}

/** `arn:aws:iam::{account}:role/…` */
function accountOf(principalArn: string): string {
  return principalArn.split(':')[4] ?? '';
}
