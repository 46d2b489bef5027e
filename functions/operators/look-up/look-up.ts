import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { createListClientIds, createNameClients } from '#shared/clients/client-directory.ts';
import { createFindClient } from '#shared/clients/client-store.ts';
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
import { listAudit as listAuditContract } from '#shared/operators/audit-records.ts';
import { byPath, type Handler } from '#shared/operators/by-path.ts';
import * as deliveryLookup from '#shared/operators/delivery-lookup.ts';
import * as depositLookup from '#shared/operators/deposit-lookup.ts';
import * as lists from '#shared/operators/lists.ts';
import * as operationLookup from '#shared/operators/operation-lookup.ts';
import * as payinLookup from '#shared/operators/pay-in-lookup.ts';
import * as reports from '#shared/operators/reports.ts';
import { createListCompleted } from '#shared/pay-ins/completed-pay-ins.ts';
import { createListMismatched } from '#shared/pay-ins/mismatched-pay-ins.ts';
import { createFindPolledPayin } from '#shared/pay-ins/polled-pay-in.ts';
import { createListUnreadablePayins } from '#shared/pay-ins/unreadable-pay-ins.ts';
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
import { clientLooks } from './client-looks.ts';
import { createFindOperation } from './find-operation.ts';
import { createListChanges, listAudit } from './list-changes.ts';
import { listContradictions } from './list-contradictions.ts';
import { listDeadLetters } from './list-dead-letters.ts';
import { listFailingWebhooks } from './list-failing-webhooks.ts';
import { listMismatched } from './list-mismatched.ts';
import { listOwed } from './list-owed.ts';
import { listUnmatched } from './list-unmatched.ts';
import { listUnpaid } from './list-unpaid.ts';
import { listUnreadable } from './list-unreadable.ts';
import { listWaiting } from './list-waiting.ts';
import type { LookAtDeadLetters } from './look-at-dead-letters.ts';
import type { Look } from './looks.ts';
import { parameterLooks } from './parameter-looks.ts';
import { readDelivery } from './read-delivery.ts';
import { readDeposit } from './read-deposit.ts';
import { readOperation } from './read-operation.ts';
import { readPayin } from './read-payin.ts';
import { reportOfframps } from './report-offramps.ts';
import { reportPayins } from './report-payins.ts';
import { createListByReference } from './same-reference.ts';
import { webhookLooks } from './webhook-looks.ts';
import { withClientNames } from './with-client-names.ts';

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
  /** After which a payout is late. */
  readonly payoutHours: number;
  /** Of the days of reports, unless another one is asked for. */
  readonly timeZone: string;
}

/** All that operators look up, by a function that can change nothing. */
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
  const listEventsAbout = createListEventsAbout(dynamo, tables.events, clock);
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
        operationLookup.readOperation,
        readOperation({ ...told, findOperation, findClient, listDepositsOf, listByReference: listOffRamps }),
      ),
      look(depositLookup.readDeposit, readDeposit({ deposits, operations, listDepositsOfHash, listChanges })),
      look(payinLookup.readPayin, readPayin({ ...told, findPayin, listByReference: listPayins })),
      look(lists.listWaiting, named(listWaiting({ listAwaiting, operations, listDepositsOf, findClient, clock }))),
      look(
        lists.listUnmatched,
        named(listUnmatched({ list: createListUnmatched(dynamo, tables.deposits, clock), operations, clock })),
      ),
      look(
        lists.listUnreadable,
        named(
          listUnreadable({
            listDeposits: createListUnreadable(dynamo, tables.deposits, clock),
            listPayins: createListUnreadablePayins(dynamo, tables.payins, clock),
            clock,
          }),
        ),
      ),
      look(
        lists.listOwed,
        named(listOwed({ listOwed: createListOwed(dynamo, tables.deposits, clock), operations, clock })),
      ),
      look(lists.listUnpaid, named(listUnpaid({ listPending, operations, listDepositsOf, clock, payoutHours }))),
      look(lists.listContradictions, named(listContradictions(listContradicted, clock))),
      look(
        lists.listMismatched,
        named(listMismatched({ list: createListMismatched(dynamo, tables.payins), findPayin, clock })),
      ),
      look(
        lists.listFailingWebhooks,
        named(
          listFailingWebhooks({
            listFailing,
            webhooks,
            countUnattempted: createCountUnattempted(dynamo, tables.deliveries, clock),
            clock,
          }),
        ),
      ),
      look(lists.listDeadLetters, listDeadLetters(lookAtDeadLetters, clock)),
      look(
        reports.reportOfframps,
        reportOfframps({
          listCredited: createListCredited(dynamo, tables.operations, clock),
          findDepositStatuses: createFindDepositStatuses(dynamo, tables.deposits, clock),
          clock,
          timeZone,
        }),
      ),
      look(reports.reportPayins, reportPayins(createListCompleted(dynamo, tables.payins, clock), clock, timeZone)),
      look(deliveryLookup.readDelivery, readDelivery({ deliveries, webhooks, readHealths, listChanges, clock })),
    ]),
  );
}
