import { tableShapes } from '#infra/platform/table-shapes.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import type { CallWebhook } from '#shared/webhooks/call-webhook.ts';
import type { GuardTarget } from '#shared/webhooks/ssrf-guard.ts';
import { createClients } from '#test/simulation/kernel/clients.ts';
import { throughDocumentClient } from '#test/simulation/kernel/document-commands.ts';
import type { Wire } from '#test/simulation/service/handlers.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import type { OnChange } from './dynamodb/change.ts';
import { type Engine, engine } from './dynamodb/engine.ts';
import { overTheNetwork } from './dynamodb/network.ts';
import type { Request } from './dynamodb/request.ts';
import { watched } from './dynamodb/watched.ts';
import type { IsWaived } from './dynamodb/writes.ts';
import { createEventBus, type EventBus } from './event-bus.ts';
import type { awsFaults } from './faults.ts';
import { createGateway, type SendRequest } from './gateway.ts';
import type { Answer, Host, Invoke } from './host.ts';
import { answerOfKms, publicKey } from './kms.ts';
import { createLambda } from './lambda.ts';
import { createQueues, type Queues } from './queues.ts';
import { createExecutions, type Executions } from './step-functions.ts';

/** The service's code and what is deployed of it, read once. */
export interface Deployed {
  readonly topology: Topology;
  readonly handlers: ReadonlyMap<string, Wire>;
}

/** What functions reach outside of AWS. */
export interface Partners {
  readonly custodian: Custodian;
  readonly rail: PaymentRail;
  readonly guardUrl: GuardTarget;
  readonly callWebhook: CallWebhook;
}

export type AwsFaults = {
  readonly [Part in keyof typeof awsFaults]: { readonly [Fault in keyof (typeof awsFaults)[Part]]: number };
};

export interface AwsInMemory {
  readonly engine: Engine;
  readonly queues: Queues;
  readonly bus: EventBus;
  readonly executions: Executions;
  readonly request: SendRequest;
  readonly invoke: Invoke;
  /** All functions go on in new processes. */
  readonly deploy: () => void;
}

interface Watchers {
  readonly onChange: OnChange;
  readonly onRequest: (request: Request) => void;
  readonly isWaived?: IsWaived | undefined;
  /** Whether a service of AWS answers nobody at the moment. */
  readonly isOut: (service: keyof AwsClients) => boolean;
}

/** Milliseconds that indexes lag behind at most. */
const LONGEST_LAG = 10_000;
/** Milliseconds by which clocks differ at most. */
const LARGEST_SKEW = 1000;

/** Everything of AWS that the service is deployed to, with its functions, for one round. */
export function createAwsInMemory(
  host: Host,
  { topology, handlers }: Deployed,
  partners: Partners,
  faults: AwsFaults,
  { onChange, onRequest, isWaived, isOut }: Watchers,
): AwsInMemory {
  const { schedule, random } = host;
  const tables = engine(
    tableShapes,
    {
      now: () => schedule.clock.now().getTime(),
      ofIndexes: () => (random.chance(faults.reads.indexLag) ? random.below(LONGEST_LAG) : 0),
      isStale: () => random.chance(faults.reads.stale),
    },
    { isWaived, onChange },
  );
  const invoke: Invoke = (folder, event) => lambda.invoke(folder, event);
  const queues = createQueues(host, topology, invoke, faults.queues);
  const bus = createEventBus(host, topology.rules, queues, faults.bus);
  const executions = createExecutions(host, topology.stateMachine, invoke, faults.executions);
  const send = overTheNetwork({ ...tables, answer: watched(tables, host, onRequest) }, schedule, random, faults.tables);
  const translated = throughDocumentClient(send);
  const clients = createClients({
    dynamo: unlessOut('dynamo', (command) => translated({ name: command.constructor.name, input: inputOf(command) })),
    sqs: unlessOut('sqs', queues.answer),
    eventBridge: unlessOut('eventBridge', bus.answer),
    stepFunctions: unlessOut('stepFunctions', executions.answer),
    kms: unlessOut('kms', answerOfKms),
  });
  const lambda = createLambda(
    host,
    topology.functions,
    handlers,
    {
      ...clients,
      ...partners,
      fetchPublicKey: async () => publicKey,
      randomBytes: (size) => Buffer.from(Array.from({ length: size }, () => random.below(256))),
    },
    { ...faults.functions, skew: faults.functions.skew * LARGEST_SKEW },
  );

  function unlessOut(service: keyof AwsClients, answer: Answer): Answer {
    return async (command) => {
      if (!isOut(service)) return answer(command);
      await schedule.turn('ANSWER');
      throw Object.assign(new Error(`${service} does not answer.`), { name: 'TimeoutError' });
    };
  }

  return {
    engine: tables,
    queues,
    bus,
    executions,
    request: createGateway(host, topology.routes, invoke, faults.gateway),
    invoke,
    deploy: lambda.deploy,
  };
}

function inputOf(command: object): object {
  if (!('input' in command) || typeof command.input !== 'object' || command.input === null) return {};
  return command.input;
}
