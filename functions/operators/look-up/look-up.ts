import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { createListClientIds, createNameClients } from '#shared/clients/client-directory.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createListEventsAbout } from '#shared/events/subject-events.ts';
import {
  createListDepositsOf,
  createListDepositsOfHash,
  createListOwed,
  createListUnmatched,
  createListUnreadable,
} from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositRepository, createFindDepositStatuses } from '#shared/off-ramps/store/deposit-repository.ts';
import {
  createListAwaiting,
  createListContradicted,
  createListCredited,
  createListPending,
} from '#shared/off-ramps/store/off-ramp-lists.ts';
import { createOffRampRepository, createUserOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { listAuditContract } from '#shared/operators/audit-records.ts';
import { byPath, type Handler } from '#shared/operators/by-path.ts';
import * as deliveryLookup from '#shared/operators/delivery-lookup.ts';
import * as depositLookup from '#shared/operators/deposit-lookup.ts';
import * as lists from '#shared/operators/lists.ts';
import * as operationLookup from '#shared/operators/operation-lookup.ts';
import * as payinLookup from '#shared/operators/pay-in-lookup.ts';
import * as reports from '#shared/operators/reports.ts';
import { createListCompleted, createListMismatched, createListUnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { createFindPolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { operatorEndpoint } from '#shared/platform/http/endpoints.ts';
import {
  createCountUnattempted,
  createDeliveryRepository,
  createListDeliveriesOf,
} from '#shared/webhooks/store/delivery-repository.ts';
import {
  createListFailing,
  createReadCircuits,
  createReadHealths,
} from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { clientLooks } from './clients/client-looks.ts';
import { withClientNames } from './clients/with-client-names.ts';
import { createListChanges, listAudit } from './common/list-changes.ts';
import type { Look } from './common/looks.ts';
import { createListByReference } from './common/same-reference.ts';
import { createFindOperation } from './off-ramps/find-operation.ts';
import { listContradictions } from './off-ramps/list-contradictions.ts';
import { listOwed } from './off-ramps/list-owed.ts';
import { listUnmatched } from './off-ramps/list-unmatched.ts';
import { listUnpaid } from './off-ramps/list-unpaid.ts';
import { listUnreadable } from './off-ramps/list-unreadable.ts';
import { listWaiting } from './off-ramps/list-waiting.ts';
import { readDeposit } from './off-ramps/read-deposit.ts';
import { readOperation } from './off-ramps/read-operation.ts';
import { reportOfframps } from './off-ramps/report-offramps.ts';
import { parameterLooks } from './parameter-looks.ts';
import { listMismatched } from './pay-ins/list-mismatched.ts';
import { readPayin } from './pay-ins/read-payin.ts';
import { reportPayins } from './pay-ins/report-payins.ts';
import { type LookAtDeadLetters, listDeadLetters } from './queues/list-dead-letters.ts';
import { listFailingWebhooks } from './webhooks/list-failing-webhooks.ts';
import { readDelivery } from './webhooks/read-delivery.ts';
import { webhookLooks } from './webhooks/webhook-looks.ts';

type LookedUpTable =
  | 'clients'
  | 'users'
  | 'wallets'
  | 'operations'
  | 'hashes'
  | 'deposits'
  | 'payins'
  | 'events'
  | 'parameters'
  | 'webhooks'
  | 'webhookHealth'
  | 'deliveries'
  | 'audit';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly lookAtDeadLetters: LookAtDeadLetters;
  readonly tables: Readonly<Record<LookedUpTable, string>>;
  readonly clock: Clock;
  /** A payout is late after these hours. */
  readonly payoutHours: number;
  /** The default time zone of reports. */
  readonly timeZone: string;
}

/** All lookups of operators, in a function that can change nothing. */
export function lookUp({ dynamo, tables, lookAtDeadLetters, clock, payoutHours, timeZone }: Dependencies): Handler {
  const findClient = createFindClient(dynamo, tables.clients);
  const operations = createOffRampRepository(dynamo, tables.operations);
  const listDepositsOfHash = createListDepositsOfHash(dynamo, tables.deposits, clock);
  const listOffRamps = createListByReference({
    ...{ dynamo, table: tables.operations, clock },
    entry: z.object({ operationId: z.string(), record: z.string() }),
    kept: operationLookup.referencedOperation,
  });
  const listPayins = createListByReference({
    ...{ dynamo, table: tables.payins, clock },
    entry: z.object({ payinId: z.string(), record: z.string() }),
    kept: payinLookup.referencedPayin,
  });
  const findOperation = createFindOperation({
    dynamo,
    hashes: tables.hashes,
    operations,
    ofUser: createUserOffRamps(dynamo, tables.operations, clock),
    listDepositsOfHash,
    listByReference: listOffRamps,
  });
  const listDepositsOf = createListDepositsOf(dynamo, tables.deposits, clock);
  const listEventsAbout = createListEventsAbout(dynamo, tables.events);
  const webhooks = createWebhookRepository(dynamo, tables.webhooks);
  const readCircuits = createReadCircuits(dynamo, tables.webhookHealth, clock);
  const readHealths = createReadHealths(dynamo, tables.webhookHealth, clock);
  const listDeliveriesOf = createListDeliveriesOf(dynamo, tables.deliveries, webhooks, readCircuits, clock);
  const listAwaiting = createListAwaiting(dynamo, tables.operations, createListClientIds(dynamo, tables.clients));
  const listContradicted = createListContradicted(dynamo, tables.operations, clock);
  const listPending = createListPending(dynamo, tables.operations);
  const listFailing = createListFailing(dynamo, tables.webhookHealth, clock);
  const deposits = createDepositRepository(dynamo, tables.deposits, clock);
  const findPayin = createFindPolledPayin(dynamo, tables.payins);
  const deliveries = createDeliveryRepository(dynamo, tables.deliveries);

  const listChanges = createListChanges(dynamo, tables.audit, clock);

  const named = withClientNames(createNameClients(dynamo, tables.clients, clock));

  const look: Look = (contract, useCase) => [contract.path, operatorEndpoint(contract, clock, useCase)];
  const deps = { dynamo, tables, listChanges, clock };
  const told = { listEventsAbout, listDeliveriesOf, listChanges, clock };
  return byPath(
    new Map([
      ...clientLooks(look, deps),
      ...parameterLooks(look, deps),
      ...webhookLooks(look, deps),
      look(listAuditContract, listAudit(dynamo, tables.audit, clock)),
      look(
        operationLookup.readOperationContract,
        readOperation({ ...told, findOperation, findClient, listDepositsOf, listByReference: listOffRamps }),
      ),
      look(depositLookup.readDepositContract, readDeposit({ deposits, operations, listDepositsOfHash, listChanges })),
      look(payinLookup.readPayinContract, readPayin({ ...told, findPayin, listByReference: listPayins })),
      look(
        lists.listWaitingContract,
        named(listWaiting({ listAwaiting, operations, listDepositsOf, findClient, clock })),
      ),
      look(
        lists.listUnmatchedContract,
        named(listUnmatched({ list: createListUnmatched(dynamo, tables.deposits, clock), operations, clock })),
      ),
      look(
        lists.listUnreadableContract,
        named(
          listUnreadable({
            listDeposits: createListUnreadable(dynamo, tables.deposits, clock),
            listPayins: createListUnreadablePayins(dynamo, tables.payins, clock),
            clock,
          }),
        ),
      ),
      look(
        lists.listOwedContract,
        named(listOwed({ listOwed: createListOwed(dynamo, tables.deposits, clock), operations, clock })),
      ),
      look(
        lists.listUnpaidContract,
        named(listUnpaid({ listPending, operations, listDepositsOf, clock, payoutHours })),
      ),
      look(lists.listContradictionsContract, named(listContradictions(listContradicted, clock))),
      look(
        lists.listMismatchedContract,
        named(listMismatched({ list: createListMismatched(dynamo, tables.payins), findPayin, clock })),
      ),
      look(
        lists.listFailingWebhooksContract,
        named(
          listFailingWebhooks({
            listFailing,
            webhooks,
            countUnattempted: createCountUnattempted(dynamo, tables.deliveries, clock),
            clock,
          }),
        ),
      ),
      look(lists.listDeadLettersContract, listDeadLetters(lookAtDeadLetters, clock)),
      look(
        reports.reportOfframpsContract,
        reportOfframps({
          listCredited: createListCredited(dynamo, tables.operations, clock),
          findDepositStatuses: createFindDepositStatuses(dynamo, tables.deposits, clock),
          clock,
          timeZone,
        }),
      ),
      look(
        reports.reportPayinsContract,
        reportPayins(createListCompleted(dynamo, tables.payins, clock), clock, timeZone),
      ),
      look(
        deliveryLookup.readDeliveryContract,
        readDelivery({ deliveries, webhooks, readHealths, listChanges, clock }),
      ),
    ]),
  );
}
