import { lookUp } from '#functions/operators/look-up/look-up.ts';
import type { DeadLetters } from '#functions/operators/look-up/queues/list-dead-letters.ts';
import { operateClients } from '#functions/operators/operate-clients/operate-clients.ts';
import { operateOffRamps } from '#functions/operators/operate-off-ramps/operate-off-ramps.ts';
import { operateParameters } from '#functions/operators/operate-parameters/operate-parameters.ts';
import { operatePayins } from '#functions/operators/operate-pay-ins/operate-pay-ins.ts';
import { operateWebhooks } from '#functions/operators/operate-webhooks/operate-webhooks.ts';
import { redriveDeadLetters } from '#functions/operators/redrive-dead-letters/redrive-dead-letters.ts';
import { operatorModules } from '#infra/operators/operator-routes.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import type { Handler } from '#shared/operators/by-path.ts';
import type { BusEntry } from '#shared/platform/aws/event-bus.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { ReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { fakeClock } from './fake-clock.ts';
import { context, gatewayEvent } from './gateway.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** The identity that signs a call, with the name of its session. */
export const OPERATOR = 'arn:aws:sts::111122223333:assumed-role/finance/session-1';

export const REASON = 'Contract 17 was signed';

/** What operators can do, over tables in memory. */
export function operatorsWorld(at = '2026-08-01T12:00:00.000Z') {
  const clock = fakeClock(at);
  const memory = tablesInMemory();
  let deadLetters: readonly DeadLetters[] = [];
  const events: BusEntry[] = [];
  let ids = 0;
  let taken = true;
  let makesKeys = true;
  const keys: string[] = [];
  const bus = {
    async put(entries: readonly BusEntry[]) {
      if (taken) events.push(...entries);
      return taken ? [] : entries.map((_, position) => position);
    },
  };
  const tables = {
    audit: 'audit',
    clients: 'clients',
    users: 'users',
    wallets: 'wallets',
    operations: 'operations',
    hashes: 'hashes',
    deposits: 'deposits',
    events: 'events',
    parameters: 'parameters',
    webhooks: 'webhooks',
    deliveries: 'deliveries',
    payins: 'payins',
    webhookHealth: 'webhookHealth',
  };
  let secrets = 0;
  const deliveryMessages: DeliveryMessage[] = [];
  const replayMessages: ReplayMessage[] = [];
  const deps = {
    dynamo: memory.dynamo,
    tables,
    bus,
    createKey: async (clientId: string) => {
      if (!makesKeys) throw new Unavailable('API Gateway created no key for the client.');
      keys.push(clientId);
    },
    mostPerDay: { offRamps: 100, payIns: 100, reports: 150 },
    sendDeliveryMessage: async (message: DeliveryMessage) => void deliveryMessages.push(message),
    moveDeadLetters: async (queue: string) => (queue === 'Deliveries/Events' ? ('STARTED' as const) : undefined),
    sendReplayMessage: async (message: ReplayMessage) => void replayMessages.push(message),
    clock,
    randomBytes: (size: number) => {
      secrets += 1;
      return Buffer.alloc(size, secrets);
    },
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
  };
  const changing: Readonly<Record<string, Handler>> = {
    'operators/operate-clients': operateClients(deps),
    'operators/operate-off-ramps': operateOffRamps(deps),
    'operators/operate-parameters': operateParameters(deps),
    'operators/operate-pay-ins': operatePayins(deps),
    'operators/operate-webhooks': operateWebhooks(deps),
    'operators/redrive-dead-letters': redriveDeadLetters(deps),
  };

  const looking = lookUp({
    dynamo: memory.dynamo,
    tables,
    lookAtDeadLetters: async () => deadLetters,
    clock,
    payoutHours: 4,
    timeZone: 'UTC',
  });
  /** As the API leads to them. */
  function handlerOf(path: string): Handler {
    const isIt = ({ contract }: OperatorRoute) => contract.path === path;
    const owner = operatorModules.find(({ routes }) => routes.some(isIt));
    if (owner === undefined) throw new Error(`${path} is no route of operators.`);
    return (owner.routes.find(isIt)?.contract.method === 'GET' ? undefined : changing[owner.folder]) ?? looking;
  }

  async function call(contract: Contract, event: Readonly<Record<string, unknown>>, userArn: string | null) {
    const answer = await handlerOf(contract.path)(
      gatewayEvent({
        httpMethod: contract.method,
        resource: contract.path,
        pathParameters: {},
        requestContext: { requestId: 'request-1', identity: { userArn } },
        ...event,
      }),
      context,
    );
    return { status: answer.statusCode, body: JSON.parse(answer.body) };
  }

  return {
    clock,
    events,
    /** What was sent to the queues. */
    deliveryMessages,
    replayMessages,
    dynamo: memory.dynamo,
    /** What is with the dead letters of each queue. */
    putDeadLetters: (counted: readonly DeadLetters[]) => {
      deadLetters = counted;
    },
    table: memory.table,
    beforeNextWrite: memory.beforeNextWrite,
    /** The API as a signed call over HTTP reaches it. */
    async fetch(url: string | URL | Request, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
      const { pathname, searchParams } = new URL(String(url));
      const resource = pathname.replace(/^.*(?=\/operations\/)/, '');
      const answer = await handlerOf(resource)(
        gatewayEvent({
          httpMethod: method,
          resource,
          pathParameters: {},
          queryStringParameters: Object.fromEntries(searchParams),
          body,
          requestContext: { requestId: 'request-1', identity: { userArn: OPERATOR } },
        }),
        context,
      );
      const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, String(value)] as const);
      return new Response(answer.body, { status: answer.statusCode, headers: Object.fromEntries(headers) });
    },
    findClient: createFindClient(memory.dynamo, tables.clients),
    /** Ids of the clients that have a key in the usage plan. */
    keys,
    refuseKeys: () => {
      makesKeys = false;
    },
    refuseEvents: () => {
      taken = false;
    },
    /** Changes something; `undefined` sends no reason. */
    change: (
      contract: Contract,
      input: unknown,
      reason: string | undefined = REASON,
      userArn: string | null = OPERATOR,
    ) => call(contract, { body: JSON.stringify({ arguments: input, reason }) }, userArn),
    look: (contract: Contract, query: Readonly<Record<string, string>>, userArn: string | null = OPERATOR) =>
      call(contract, { queryStringParameters: query }, userArn),
  };
}
