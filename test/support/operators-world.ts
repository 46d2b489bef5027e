import { lookUpClients } from '#functions/clients/look-up-clients/look-up-clients.ts';
import { operateClients } from '#functions/clients/operate-clients/operate-clients.ts';
import { lookUpOffRamps } from '#functions/off-ramps/look-up-off-ramps/look-up-off-ramps.ts';
import { operateOffRamps } from '#functions/off-ramps/operate-off-ramps/operate-off-ramps.ts';
import { eraseUser } from '#functions/operators/erase-user/erase-user.ts';
import { exportUser } from '#functions/operators/export-user/export-user.ts';
import type { DeadLetters } from '#functions/operators/look-up/list-dead-letters.ts';
import { lookUp } from '#functions/operators/look-up/look-up.ts';
import { lookUpBooks } from '#functions/operators/look-up-books/look-up-books.ts';
import { operateBooks } from '#functions/operators/operate-books/operate-books.ts';
import { redriveDeadLetters } from '#functions/operators/redrive-dead-letters/redrive-dead-letters.ts';
import { lookUpParameters } from '#functions/parameters/look-up-parameters/look-up-parameters.ts';
import { operateParameters } from '#functions/parameters/operate-parameters/operate-parameters.ts';
import { lookUpPayIns } from '#functions/pay-ins/look-up-pay-ins/look-up-pay-ins.ts';
import { operatePayins } from '#functions/pay-ins/operate-pay-ins/operate-pay-ins.ts';
import { lookUpWebhooks } from '#functions/webhooks/look-up-webhooks/look-up-webhooks.ts';
import { operateWebhooks } from '#functions/webhooks/operate-webhooks/operate-webhooks.ts';
import { operatorModules } from '#infra/operators/operator-routes.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { sumOfUses, type TableUse } from '#infra/stage/table-shapes.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createFindOutgoing } from '#shared/off-ramps/custodians/ask-sendings.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import type { BusEntry } from '#shared/platform/aws/event-bus.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { Handler } from '#shared/platform/operators/route-by-path.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { ReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { fakeClock } from './fake-clock.ts';
import { context, gatewayEvent } from './gateway.ts';
import { RETURN_TERMS, RULES } from './off-ramp.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** The identity that signs a call, with the name of its session. */
export const OPERATOR = 'arn:aws:sts::111122223333:assumed-role/finance/session-1';

/** Another person. */
export const SECOND_OPERATOR = 'arn:aws:sts::111122223333:assumed-role/finance/bea';

export const REASON = 'Contract 17 was signed';

/** The functions of operators, on tables in memory. */
export function operatorsWorld(at = '2026-08-01T12:00:00.000Z', custodians: Custodians<'listMovements'> = new Map()) {
  const clock = fakeClock(at);
  const memory = tablesInMemory();
  let deadLetters: readonly DeadLetters[] = [];
  const events: BusEntry[] = [];
  let ids = 0;
  let acceptsEvents = true;
  let makesKeys = true;
  const keys: string[] = [];
  const bus = {
    async put(entries: readonly BusEntry[]) {
      if (acceptsEvents) events.push(...entries);
      return acceptsEvents ? [] : entries.map((_, position) => position);
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
    proposals: 'proposals',
    books: 'books',
  };
  let outgoing: readonly OutgoingTransfer[] = [];
  let says: AskForTransfer = async ({ seen }) => seen;
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
    findTransfer: ((query) => says(query)) satisfies AskForTransfer,
    findOutgoing: createFindOutgoing(
      new Map([['ETHEREUM', { name: 'custodian', findOutgoing: async () => outgoing }] as const]),
      clock,
    ),
    networkRules: RULES,
    networks: ['ETHEREUM', 'POLYGON'] as const,
    custodianNames: ['simulated'],
    returnTerms: RETURN_TERMS,
    onePersonUpTo: { 'ETHEREUM:USDC': '1000' },
    payoutHours: 4,
    keptDays: 3660,
    twoPersonsAbove: { COP: '200000' },
    timeZone: 'UTC',
    randomBytes: (size: number) => {
      secrets += 1;
      return Buffer.alloc(size, secrets);
    },
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
  };
  const isLook = ({ contract }: OperatorRoute) => contract.method === 'GET';
  /** Limits a function to the table permissions that its routes declare, because the local AWS checks none. */
  const allowedTo = (folder: string) => {
    const routes = operatorModules.flatMap((owner) =>
      owner.routes.filter((route) => (isLook(route) ? owner.looksUp : owner.changes) === folder),
    );
    const audit: TableUse = routes.every(isLook) ? {} : { audit: ['PutItem'] };
    return { ...deps, dynamo: memory.clientFor(sumOfUses([...routes.map((route) => route.tables), audit])) };
  };
  const functions: Readonly<Record<string, Handler>> = {
    'clients/operate-clients': operateClients(allowedTo('clients/operate-clients')),
    'off-ramps/operate-off-ramps': operateOffRamps(allowedTo('off-ramps/operate-off-ramps')),
    'parameters/operate-parameters': operateParameters(allowedTo('parameters/operate-parameters')),
    'pay-ins/operate-pay-ins': operatePayins(allowedTo('pay-ins/operate-pay-ins')),
    'webhooks/operate-webhooks': operateWebhooks(allowedTo('webhooks/operate-webhooks')),
    'operators/erase-user': eraseUser(allowedTo('operators/erase-user')),
    'operators/export-user': exportUser(allowedTo('operators/export-user')),
    'operators/redrive-dead-letters': redriveDeadLetters(allowedTo('operators/redrive-dead-letters')),
    'operators/operate-books': operateBooks(allowedTo('operators/operate-books')),
    'operators/look-up-books': lookUpBooks({ ...allowedTo('operators/look-up-books'), custodians }),
    'clients/look-up-clients': lookUpClients(allowedTo('clients/look-up-clients')),
    'off-ramps/look-up-off-ramps': lookUpOffRamps(allowedTo('off-ramps/look-up-off-ramps')),
    'parameters/look-up-parameters': lookUpParameters(allowedTo('parameters/look-up-parameters')),
    'pay-ins/look-up-pay-ins': lookUpPayIns(allowedTo('pay-ins/look-up-pay-ins')),
    'webhooks/look-up-webhooks': lookUpWebhooks(allowedTo('webhooks/look-up-webhooks')),
    'operators/look-up': lookUp({ ...allowedTo('operators/look-up'), lookAtDeadLetters: async () => deadLetters }),
  };
  /** Finds the function to which the API leads a path. */
  function handlerOf(path: string): Handler {
    for (const { routes, looksUp, changes } of operatorModules) {
      const route = routes.find(({ contract }) => contract.path === path);
      const handler = route && functions[isLook(route) ? looksUp : changes];
      if (handler !== undefined) return handler;
    }
    throw new Error(`${path} is no route of operators.`);
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
    /** The messages that were sent to the queues. */
    deliveryMessages,
    replayMessages,
    dynamo: memory.dynamo,
    /** Sets the dead letters of each queue. */
    putDeadLetters: (counted: readonly DeadLetters[]) => {
      deadLetters = counted;
    },
    table: memory.table,
    beforeNextWrite: memory.beforeNextWrite,
    /** Calls the API as a signed HTTP call does. */
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
    /** Sets the transfers that have left the service's accounts, in any transaction. */
    putOutgoing: (...left: readonly OutgoingTransfer[]) => {
      outgoing = left;
    },
    /** Sets the custodian's answer about a transfer; by default the known transfer. */
    custodianSays: (answer: AskForTransfer) => {
      says = answer;
    },
    findClient: createFindClient(memory.dynamo, tables.clients),
    /** Ids of the clients that have a key in the usage plan. */
    keys,
    refuseKeys: () => {
      makesKeys = false;
    },
    refuseEvents: () => {
      acceptsEvents = false;
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
