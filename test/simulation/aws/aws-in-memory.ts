import { tableShapes } from '#infra/stage/table-shapes.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import type { CallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
import type { GuardTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { createClients, nobodyAsks } from '#test/simulation/kernel/clients.ts';
import { throughDocumentClient } from '#test/simulation/kernel/document-commands.ts';
import type { Wire } from '#test/simulation/service/handlers.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import type { CustodianMembers } from '#test/simulation/world/providers/custodian.ts';
import type { Change } from './dynamodb/change.ts';
import { type Engine, engine } from './dynamodb/engine.ts';
import type { Faults as DynamoFaults } from './dynamodb/faults.ts';
import { overTheNetwork } from './dynamodb/network.ts';
import type { Request } from './dynamodb/request.ts';
import { watched } from './dynamodb/watched.ts';
import { type BusFaults, createEventBus, type EventBus } from './event-bus.ts';
import { createGateway, type GatewayFaults, type SendRequest } from './gateway.ts';
import { type Host, type Invocation, type OnInvocation, withInvocationCallback } from './host.ts';
import { idleUntil } from './idle-until.ts';
import { createKms, type KmsFaults, publicKey } from './kms.ts';
import { createLambda, type LambdaFaults } from './lambda.ts';
import { type Meter, noMeter } from './meter.ts';
import { createQueues, type Queues, type QueuesFaults } from './queues.ts';
import { createSchedules, type ScheduleFaults } from './schedules.ts';
import { createExecutions, type ExecutionFaults, type Executions } from './step-functions.ts';
import { createStreamConsumer } from './stream-consumer.ts';
import type { StreamFaults } from './stream-lane.ts';

/** The deployed resources with the functions' code, read once. */
export interface Deployed {
  readonly topology: Topology;
  readonly handlers: ReadonlyMap<string, Wire>;
}

/** Receives messages in place of a function. */
export type Consumer = (event: unknown) => Promise<Invocation>;

/** Everything outside of AWS that functions call. */
export interface Partners {
  readonly custodians: Custodians<CustodianMembers>;
  readonly senders: Custodians<'send' | 'findSending'>;
  readonly outgoing: Custodians<'findOutgoing'>;
  readonly chains: Custodians<'scanTransfers'>;
  readonly notifiers: Custodians<'readNotification'>;
  /** From then on nobody sends a transfer, in milliseconds since 1970. */
  readonly quietFrom: number;
  readonly rails: ReadonlyMap<string, PaymentRail>;
  readonly guardUrl: GuardTarget;
  readonly callWebhook: CallWebhook;
  /** Other services that receive messages in place of functions, by the functions' folders. */
  readonly consumers: ReadonlyMap<string, Consumer>;
  /** True while every call of the folder's function fails. */
  readonly isBroken: (folder: string) => boolean;
}

/** Probabilities. */
export interface ReadFaults {
  /** An index lags behind a write. */
  readonly indexLag: number;
  /** A read that is not consistent finds the previous item. */
  readonly stale: number;
  /** A page ends after an entry, like one that has reached a megabyte. */
  readonly shortPage: number;
}

/** The faults of each part. */
export interface AwsFaults {
  readonly dynamo: DynamoFaults;
  readonly reads: ReadFaults;
  readonly streams: StreamFaults;
  readonly queues: QueuesFaults;
  readonly bus: BusFaults;
  readonly executions: ExecutionFaults;
  readonly keys: KmsFaults;
  readonly lambda: LambdaFaults;
  readonly gateway: GatewayFaults;
  readonly schedules: ScheduleFaults;
}

export interface AwsInMemory {
  readonly engine: Engine;
  readonly queues: Queues;
  readonly bus: EventBus;
  readonly executions: Executions;
  readonly request: SendRequest;
  /** The number of requests that the tables have done. */
  readonly requests: () => number;
  /** Restarts all functions in new processes. */
  readonly deploy: () => void;
}

export interface WatchersOfAws {
  /** Receives the changes that each request wrote, in the order of its legs. */
  readonly onTransaction: (changes: readonly Change[]) => void;
  /** Receives each request to the tables, done or refused. */
  readonly onRequest: (request: Request) => void;
  /** Receives the outcome of each call of a function. */
  readonly onInvocation?: OnInvocation | undefined;
  /** Counts what AWS charges for. */
  readonly meter?: Meter | undefined;
  /** True if nothing can be decrypted. */
  readonly isKeyDisabled?: boolean | undefined;
}

/** The longest lag of an index, in milliseconds. */
const LONGEST_LAG = 60_000;

/** Milliseconds after its expiry within which an item is deleted. */
const LONGEST_EXPIRY = 48 * 3600 * 1000;

/** Creates all AWS resources of the service, with its functions, for one round. */
export function createAwsInMemory(
  host: Host,
  { topology, handlers }: Deployed,
  partners: Partners,
  faults: AwsFaults,
  { onTransaction, onRequest, onInvocation, meter = noMeter, isKeyDisabled = false }: WatchersOfAws,
): AwsInMemory {
  const { schedule, random } = host;
  const tables = engine(
    tableShapes,
    {
      now: () => schedule.clock.now().getTime(),
      ofIndexes: () => (random.chance(faults.reads.indexLag) ? random.below(LONGEST_LAG) : 0),
      isStale: () => random.chance(faults.reads.stale),
      isPageFull: () => random.chance(faults.reads.shortPage),
      ofExpiry: () => random.below(LONGEST_EXPIRY),
    },
    {
      onChanges: (changes) => {
        written.push(changes);
        for (const change of changes) for (const stream of streams) stream.onChange(change);
        schedules.wake();
      },
    },
  );
  const invoke = withInvocationCallback(host, onInvocation, async (folder, event) => {
    if (partners.isBroken(folder)) return { state: 'THREW', error: new Error('A bad deployment.') };
    return partners.consumers.get(folder)?.(event) ?? meter.invoked(folder, () => lambda.invoke(folder, event));
  });
  const queues = createQueues(host, topology, invoke, faults.queues);
  const bus = createEventBus(host, topology.rules, { send: meter.partner('queue', queues.send) }, faults.bus);
  const streams = topology.streamConsumers.map((shape) =>
    createStreamConsumer(host, shape, invoke, queues, faults.streams),
  );
  let requests = 0;
  const written: (readonly Change[])[] = [];
  const onDone = () => {
    requests += 1;
    for (const changes of written.splice(0)) onTransaction(changes);
  };
  const executions = createExecutions(host, topology.stateMachine, invoke, faults.executions);
  const send = overTheNetwork(
    { ...tables, answer: watched({ ...tables, answer: meter.tables(tables) }, host, { onRequest, onDone }) },
    schedule,
    random,
    faults.dynamo,
  );
  const clients = createClients({
    // API Gateway is not called: nobody creates clients during a round.
    ...nobodyAsks,
    dynamo: throughDocumentClient(meter.partner('tables', send)),
    sqs: meter.partner('queue', queues.answer),
    eventBridge: meter.partner('bus', bus.answer),
    stepFunctions: meter.partner('executions', executions.answer),
    kms: meter.partner('keys', createKms(host, faults.keys, isKeyDisabled)),
  });
  const lambda = createLambda(
    host,
    topology.functions,
    handlers,
    {
      ...clients,
      ...partners,
      fetchPublicKey: async () => publicKey,
      writeLine: () => {},
      randomBytes: (size) => Buffer.from(Array.from({ length: size }, () => random.below(256))),
    },
    faults.lambda,
  );

  const schedules = createSchedules(
    host,
    topology.everyMinute,
    invoke,
    (folder) => (folder === meter.leavesOut ? Number.POSITIVE_INFINITY : idleUntil(tables, folder, partners.quietFrom)),
    faults.schedules,
  );

  return {
    engine: tables,
    queues,
    bus,
    executions,
    request: createGateway(host, topology.routes, invoke, faults.gateway),
    requests: () => requests,
    deploy: lambda.deploy,
  };
}
