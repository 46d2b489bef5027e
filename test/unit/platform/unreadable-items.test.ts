import { describe, expect, test } from 'vitest';
import { listUsers } from '#functions/clients/list-users/list-users.ts';
import { listWallets } from '#functions/clients/list-wallets/list-wallets.ts';
import { listEvents } from '#functions/events/list-events/list-events.ts';
import { listClientOperations } from '#functions/off-ramps/list-client-operations/list-client-operations.ts';
import { listDeposits } from '#functions/off-ramps/list-deposits/list-deposits.ts';
import { listOperations } from '#functions/off-ramps/list-operations/list-operations.ts';
import { listBanks } from '#functions/parameters/list-banks/list-banks.ts';
import { listTokens } from '#functions/parameters/list-tokens/list-tokens.ts';
import { listClientPayins } from '#functions/pay-ins/list-client-payins/list-client-payins.ts';
import { listPayins } from '#functions/pay-ins/list-payins/list-payins.ts';
import { listDeliveries } from '#functions/webhooks/list-deliveries/list-deliveries.ts';
import { listWebhooks } from '#functions/webhooks/list-webhooks/list-webhooks.ts';
import type { TableName } from '#infra/stage/table-shapes.ts';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { listClientsContract, listUsersAsOperatorContract as usersOfClient } from '#shared/clients/client-lookups.ts';
import { listUsersContract, listWalletsContract } from '#shared/clients/user-contract.ts';
import {
  createFindUser,
  createHasUser,
  createHasWallet,
  createListUsersOf,
  createListWallets,
} from '#shared/clients/user-repository.ts';
import { listEventsContract } from '#shared/events/event-contract.ts';
import { createEventFeed } from '#shared/events/event-feed.ts';
import { eventPlace, withKey } from '#shared/events/service-event.ts';
import { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import { listClientOperationsContract, listOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { reportOfframpsContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { createListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createListedOffRamps, createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { readBooksContract, reportMovementsContract } from '#shared/operators/book-contracts.ts';
import { readOperationContract } from '#shared/operators/lookups.ts';
import { listBanksAsClientContract, listTokensContract } from '#shared/parameters/parameter-contract.ts';
import { createListBanks, createListSupportedTokens } from '#shared/parameters/parameter-store.ts';
import { listClientPayinsContract, listPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import { listMismatchedContract, reportPayinsContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { createListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { listWebhooksContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { listWebhooksContract as webhooksOfClient } from '#shared/webhooks/contract/webhook-lookups.ts';
import { deliveryExpiry, newDelivery } from '#shared/webhooks/model/delivery.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/delivery-repository.ts';
import { createReadCircuit, createReadCircuits } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, OPERATION, USER, WALLET, WEBHOOK } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { newClient } from '#test/support/new-client.ts';
import { CREATED_AT, offRamp, RETURN_TERMS } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const OTHER = '77777777-7777-4777-8777-777777777777';
const DAY = { from: '2026-08-01', to: '2026-08-01' };
const BOOK = 'deposits of custodian';

/** Two items of each kind, at noon of a day: one cannot be parsed; the other has the id `OTHER`, or a text with it. */
function world() {
  const lines = captureLogs();
  const { put: _, ...world } = lookUpWorld('2026-08-01T13:00:00.000Z');
  const { dynamo, table, clock, lookAt: look } = world;
  const both = (name: TableName, one: object, other: object, broken: object) => {
    table(name).put({ ...one, ...broken });
    table(name).put({ ...one, ...other });
  };
  const reference = { externalReference: 'order 1', clientReference: 'digest' };
  const credited = { status: 'PENDING', creditedAt: CREATED_AT, verifiedTxHash: offRamp().operationId } as const;
  table('users').put({ userId: USER, clientId: CLIENT });

  return {
    ...world,
    lines,
    offRamps: () => {
      const item = { ...offRamp(), ...reference, record: 'OPERATION' };
      both('operations', item, { operationId: OTHER }, { sequence: 'none' });
    },
    credited: () => {
      const txHash = `0x${'cd'.repeat(32)}`;
      const item = { ...offRamp(), ...reference, ...credited, verifiedTxHash: txHash, record: 'OPERATION' };
      table('hashes').put({ claim: `FUNDED#${txHash}`, operationId: OTHER, custodianTransferId: 'sim:1' });
      both('operations', item, { operationId: OTHER }, { sequence: 'none' });
    },
    payins: (facts: object = {}) => {
      const item = { ...payinItem(payinOf(), undefined), ...reference, ...facts };
      both('payins', item, { payinId: OTHER }, { statusHistory: 'none' });
    },
    deposits: () => {
      const told = { updatedAt: CREATED_AT, sequence: 1, creditedAt: CREATED_AT };
      world.putDeposit({ custodianTransferId: 'sim:1' }, { createdOn: '2026-08-01', createdAt: CREATED_AT, ...told });
      const item = table('deposits').find({ custodianTransferId: 'sim:1' });
      both('deposits', { ...item }, { custodianTransferId: OTHER }, { transfer: 'none' });
    },
    users: () => both('users', { userId: WALLET, clientId: CLIENT }, { userId: OTHER }, { payer: 'none' }),
    wallets: () => {
      const item = { userId: USER, walletId: WALLET, network: 'BASE', address: `0x${'1a'.repeat(20)}` };
      both('wallets', item, { walletId: OTHER }, { network: 'NONE' });
    },
    webhooks: () => both('webhooks', webhookOf(), { webhookId: OTHER }, { secrets: 'none' }),
    health: () => {
      table('webhooks').put({ ...webhookOf({ webhookId: OTHER }) });
      table('webhookHealth').put({ webhookId: OTHER, clientId: CLIENT, configuration: 'none', version: 1 });
    },
    deliveries: (webhookId = WEBHOOK) => {
      const made = newDelivery(eventOf(eventNo(0)), webhookOf({ webhookId }), 'SCHEDULED', clock.now());
      const item = { ...made, expiresAt: deliveryExpiry(clock.now()) };
      table('deliveries').put({ ...item, deliveryId: `dlv_${'0'.repeat(32)}`, attempts: 'none' });
      table('deliveries').put(item);
    },
    events: () => {
      for (const [number, broken] of [{ body: 'none' }, {}].entries()) {
        const event = eventOf(eventNo(number));
        table('events').put({ ...withKey(event), place: eventPlace(event.eventId, new Date(CREATED_AT)), ...broken });
      }
    },
    banks: () => {
      const item = { kind: 'BANK', id: 'one', code: '1', name: 'One', active: true };
      both('parameters', item, { id: OTHER, code: OTHER }, { active: 'none' });
    },
    tokens: () => {
      const item = { kind: 'TOKEN', id: '1', tokenId: 1, token: 'USDC', active: true, networks: {} };
      both('parameters', item, { id: '2', tokenId: 2, token: OTHER }, { networks: 'none' });
    },
    clients: () => {
      const profile = { tradeName: newClient().tradeName, person: { businessName: 'Any' } };
      const item = {
        clientId: WALLET,
        ...directoryEntry(newClient()),
        complianceStatus: 'approved',
        status: 'approved',
      };
      table('clients').put({ ...item, profile: 'none' });
      table('clients').put({ ...item, clientId: OTHER, profile });
    },
    audit: () => {
      const asked = { at: CREATED_AT, who: 'ana', person: 'ana', command: 'x', arguments: {}, about: CLIENT };
      const item = { ...asked, auditId: WALLET, reason: 'any', requestId: 'any', record: 'ASKED' };
      both('audit', item, { auditId: OTHER }, { arguments: 'none' });
    },
    movements: async () => {
      const books = createBooks(dynamo, 'books', clock);
      const line = { network: 'BASE', txHash: 'any', assetId: 'any', amount: '1', term: 'treasury' };
      await books.saveLine('OUT', CREATED_AT, 'one', { ...line, amount: 1 });
      await books.saveLine('OUT', CREATED_AT, OTHER, line);
    },
    books: async () => {
      const books = createBooks(dynamo, 'books', clock);
      const page = { day: DAY.from, from: CREATED_AT, to: CREATED_AT, runAt: CREATED_AT, sums: {}, differences: [] };
      for (const book of [BOOK, OTHER, 'run']) {
        await books.saveRun({ name: book, begunOn: DAY.from, nextRunAt: CREATED_AT, version: 0 });
        await books.saveDay({ ...page, book, differenceCount: 0 });
      }
      table('books').put({ ...table('books').find({ book: BOOK, entry: DAY.from }), sums: 'none' });
      table('books').put({ ...table('books').find({ book: 'RUNS', entry: 'run' }), version: 'none' });
    },
    stores: {
      offRamps: createListedOffRamps(dynamo, 'operations', clock),
      operations: createOffRampRepository(dynamo, 'operations'),
      payins: createListedPayins(dynamo, 'payins', clock),
      findUser: createFindUser(dynamo, 'users'),
      webhooks: createWebhookRepository(dynamo, 'webhooks'),
    },
    look,
  };
}

type World = ReturnType<typeof world>;

interface List {
  readonly put: (world: World) => unknown;
  readonly read: (world: World) => Promise<{ readonly body: unknown }>;
  /** Id of the unreadable item, as its log line has it. */
  readonly id: string;
  /** The text by which the list shows the other item. */
  readonly has?: string;
}

const ofClients: Readonly<Record<string, List>> = {
  'the off-ramps of a user': {
    put: ({ offRamps }) => offRamps(),
    read: ({ stores: { findUser, offRamps } }) =>
      listOperations({ findUser, operations: offRamps })(routeCall(listOperationsContract)),
    id: OPERATION,
  },
  'the off-ramps of a client': {
    put: ({ offRamps }) => offRamps(),
    read: ({ stores: { offRamps } }) => listClientOperations(offRamps)(routeCall(listClientOperationsContract)),
    id: OPERATION,
  },
  'the pay-ins of a user': {
    put: ({ payins }) => payins(),
    read: ({ stores: { findUser, payins } }) => listPayins({ findUser, payins })(routeCall(listPayinsContract)),
    id: PAYIN,
  },
  'the pay-ins of a client': {
    put: ({ payins }) => payins(),
    read: ({ stores: { payins } }) => listClientPayins(payins)(routeCall(listClientPayinsContract)),
    id: PAYIN,
  },
  'the deposits of an off-ramp': {
    put: ({ deposits, table }) => {
      table('operations').put({ ...offRamp(), record: 'OPERATION' });
      deposits();
    },
    read: ({ stores: { operations }, dynamo, clock }) =>
      listDeposits({
        operations,
        listDepositsOf: createListDepositsOf(dynamo, 'deposits', clock),
        terms: RETURN_TERMS,
      })(routeCall(listDepositsContract)),
    id: 'sim:1',
    has: '"deposits":[{',
  },
  'the users': {
    put: ({ users }) => users(),
    read: ({ dynamo, clock }) =>
      listUsers({ hasUser: createHasUser(dynamo, 'users'), listUsersOf: createListUsersOf(dynamo, 'users', clock) })(
        // The page before ended with the unreadable item.
        routeCall(listUsersContract, {}, {}, { query: { cursor: USER } }),
      ),
    id: WALLET,
  },
  'the wallets of a user': {
    put: ({ wallets }) => wallets(),
    read: ({ stores: { findUser }, dynamo }) =>
      listWallets({
        findUser,
        hasWallet: createHasWallet(dynamo, 'wallets'),
        listWallets: createListWallets(dynamo, 'wallets'),
      })(routeCall(listWalletsContract)),
    id: WALLET,
  },
  'the webhooks': {
    put: ({ webhooks }) => webhooks(),
    read: ({ stores: { webhooks }, dynamo, clock }) =>
      listWebhooks({ webhooks, readCircuits: createReadCircuits(dynamo, 'webhookHealth', clock) })(
        routeCall(listWebhooksContract),
      ),
    id: WEBHOOK,
  },
  'the webhooks, of which one has an unreadable health': {
    put: ({ health }) => health(),
    read: ({ stores: { webhooks }, dynamo, clock }) =>
      listWebhooks({ webhooks, readCircuits: createReadCircuits(dynamo, 'webhookHealth', clock) })(
        routeCall(listWebhooksContract),
      ),
    id: OTHER,
  },
  'the deliveries of a webhook': {
    put: ({ deliveries, table }) => {
      table('webhooks').put({ ...webhookOf() });
      deliveries();
    },
    read: ({ stores: { webhooks }, dynamo, clock }) =>
      listDeliveries({
        webhooks,
        deliveries: createDeliveryRepository(dynamo, 'deliveries'),
        readCircuit: createReadCircuit(dynamo, 'webhookHealth', clock),
        clock,
      })(routeCall(listDeliveriesContract)),
    id: `dlv_${'0'.repeat(32)}`,
    has: eventNo(0),
  },
  'the deliveries of a webhook with an unreadable health': {
    put: ({ deliveries, health }) => {
      health();
      deliveries(OTHER);
    },
    read: ({ stores: { webhooks }, dynamo, clock }) =>
      listDeliveries({
        webhooks,
        deliveries: createDeliveryRepository(dynamo, 'deliveries'),
        readCircuit: createReadCircuit(dynamo, 'webhookHealth', clock),
        clock,
      })(routeCall(listDeliveriesContract, { webhook_id: OTHER })),
    id: OTHER,
    has: eventNo(0),
  },
  'the events': {
    put: ({ events }) => events(),
    read: ({ dynamo, clock }) =>
      listEvents({ feed: createEventFeed(dynamo, 'events'), clock, completeAfter: 180 })(routeCall(listEventsContract)),
    id: `operation#${OPERATION} ramp.operation.status_changed##0000000001`,
    has: eventNo(1),
  },
  'the banks': {
    put: ({ banks }) => banks(),
    read: ({ dynamo }) => listBanks(createListBanks(dynamo, 'parameters'))(routeCall(listBanksAsClientContract)),
    id: 'BANK one',
  },
  'the tokens': {
    put: ({ tokens }) => tokens(),
    read: ({ dynamo }) => listTokens(createListSupportedTokens(dynamo, 'parameters'))(routeCall(listTokensContract)),
    id: 'TOKEN 1',
  },
};

const ofOperators: Readonly<Record<string, List>> = {
  clients: {
    put: ({ clients }) => clients(),
    read: ({ look }) => look(listClientsContract, {}),
    id: WALLET,
  },
  users: {
    put: ({ users }) => users(),
    read: ({ look }) => look(usersOfClient, { clientId: CLIENT }),
    id: WALLET,
  },
  webhooks: {
    put: ({ webhooks }) => webhooks(),
    read: ({ look }) => look(webhooksOfClient, { clientId: CLIENT }),
    id: WEBHOOK,
  },
  mismatched: {
    put: ({ payins }) => payins({ mismatched: 'MISMATCHED', mismatchedAt: CREATED_AT }),
    read: ({ look }) => look(listMismatchedContract, {}),
    id: PAYIN,
  },
  audit: {
    put: ({ audit }) => audit(),
    read: ({ look }) => look(listAuditContract, { about: CLIENT }),
    id: WALLET,
  },
  'report-offramps': {
    put: ({ credited }) => credited(),
    read: ({ look }) => look(reportOfframpsContract, DAY),
    id: OPERATION,
  },
  'report-payins': {
    put: ({ payins }) => payins({ completedShard: 'COMPLETED#1', completedAt: CREATED_AT, status: 'COMPLETED' }),
    read: ({ look }) => look(reportPayinsContract, DAY),
    id: PAYIN,
  },
  'movements that came': {
    put: ({ deposits }) => deposits(),
    read: ({ look }) => look(reportMovementsContract, DAY),
    id: 'sim:1',
  },
  'movements that went': {
    put: ({ movements }) => movements(),
    read: ({ look }) => look(reportMovementsContract, DAY),
    id: `${CREATED_AT}#one`,
  },
  books: {
    put: ({ books }) => books(),
    read: ({ look }) => look(readBooksContract, { day: DAY.from }),
    id: `${BOOK} ${DAY.from}`,
  },
  'others of a reference': {
    put: ({ offRamps, table }) => {
      offRamps();
      const item = { ...offRamp({ externalReference: 'order 1' }), record: 'OPERATION' };
      table('operations').put({ ...item, operationId: WALLET });
      table('operations').put({ ...item, status: 1 });
    },
    read: ({ look }) => look(readOperationContract, { operation: WALLET }),
    id: `${OPERATION} OPERATION`,
  },
  'events of an operation': {
    put: ({ events, table }) => {
      events();
      table('operations').put({ ...offRamp(), record: 'OPERATION' });
      const event = withKey(eventOf(eventNo(0)));
      table('events').put({ ...event, occurredAt: 1 });
    },
    read: ({ look }) => look(readOperationContract, { operation: OPERATION }),
    id: `operation#${OPERATION} ramp.operation.status_changed##0000000001`,
    has: eventNo(1),
  },
  'deliveries of an operation': {
    put: ({ events, deliveries, table }) => {
      events();
      deliveries();
      table('webhooks').put({ ...webhookOf() });
      const item = table('deliveries')
        .items()
        .find(({ attempts }) => attempts !== 'none');
      table('deliveries').put({ ...item, attempts: 'none' });
      table('operations').put({ ...offRamp(), record: 'OPERATION' });
    },
    read: ({ look }) => look(readOperationContract, { operation: OPERATION }),
    id: newDelivery(eventOf(eventNo(0)), webhookOf(), 'SCHEDULED', new Date(CREATED_AT)).deliveryId,
    has: eventNo(1),
  },
};

/** Expects the other item in each list although one item is unreadable, and an error line for the unreadable one. */
async function expectTheOther({ put, read, id, has = OTHER }: List) {
  const made = world();
  await put(made);
  const { body } = await read(made);
  expect(JSON.stringify(body)).toContain(has);
  expect(made.lines.filter(({ level }) => level === 'error')).toContainEqual({
    level: 'error',
    code: 'ITEM_UNREADABLE',
    fields: expect.objectContaining({ id }),
  });
}

describe('decisions 12, boundary: an item that cannot be read hides no other from clients', () => {
  test.each(Object.entries(ofClients))('%s', (_, list) => expectTheOther(list));
});

describe('decisions 12, boundary: an item that cannot be read hides no other from operators', () => {
  test.each(Object.entries(ofOperators))('%s', (_, list) => expectTheOther(list));

  test.each([
    'clients',
    'users',
    'webhooks',
    'report-offramps',
    'report-payins',
    'movements that came',
    'movements that went',
  ])('%s names it, because the list, or its sums, are without it', async (name) => {
    const list = ofOperators[name];
    const made = world();
    await list?.put(made);
    expect((await list?.read(made))?.body).toMatchObject({
      unreadableIds: expect.arrayContaining([list?.id]),
    });
  });
});
