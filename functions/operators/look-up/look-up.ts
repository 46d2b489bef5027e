import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { createListClientIds, createWithClientNames } from '#shared/clients/client-directory.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createEventsSince } from '#shared/events/events-since.ts';
import { createListEventsAbout } from '#shared/events/subject-events.ts';
import { assignmentKey } from '#shared/off-ramps/store/address-owners.ts';
import { createListDepositsOf, createListDepositsOfHash } from '#shared/off-ramps/store/deposit-lists.ts';
import { createListUnreadable } from '#shared/off-ramps/store/finance-lists.ts';
import { createFindOperation } from '#shared/off-ramps/store/find-operation.ts';
import {
  createListedOffRamps,
  createOffRampRepository,
  operationKey,
} from '#shared/off-ramps/store/off-ramp-repository.ts';
import * as lookups from '#shared/operators/lookups.ts';
import { createListUnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { payinKey } from '#shared/pay-ins/pay-in-records.ts';
import { createFindPolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { createListByReference } from '#shared/platform/operators/list-by-reference.ts';
import { createListChanges, createListChangesFrom, listAudit } from '#shared/platform/operators/list-changes.ts';
import {
  createFindProposal,
  createListOpenProposals,
  createListProposals,
} from '#shared/platform/operators/proposal-repository.ts';
import { listProposalsContract } from '#shared/platform/operators/proposals.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { createListDeliveriesOf } from '#shared/webhooks/store/delivery-repository.ts';
import { createReadCircuits } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { type LookAtDeadLetters, listDeadLetters } from './list-dead-letters.ts';
import { listProposals } from './list-proposals.ts';
import { listSince } from './list-since.ts';
import { listUnreadable } from './list-unreadable.ts';
import { readOperation } from './read-operation.ts';
import { readPayin } from './read-payin.ts';

type LookedUpTable =
  | 'clients'
  | 'operations'
  | 'hashes'
  | 'deposits'
  | 'payins'
  | 'events'
  | 'webhooks'
  | 'webhookHealth'
  | 'deliveries'
  | 'audit'
  | 'proposals';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly lookAtDeadLetters: LookAtDeadLetters;
  readonly tables: Readonly<Record<LookedUpTable, string>>;
  /** The second of a restore, set until every movement out since then is matched. */
  readonly heldSince?: string | undefined;
  readonly clock: Clock;
}

/** The operators' lookups across modules. The function cannot change anything. */
export function lookUp({ dynamo, tables, lookAtDeadLetters, heldSince, clock }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const findClient = createFindClient(dynamo, tables.clients);
  const listDepositsOf = createListDepositsOf(dynamo, tables.deposits, clock);
  const listDepositsOfHash = createListDepositsOfHash(dynamo, tables.deposits, clock);
  const listOffRamps = createListByReference({
    ...{ dynamo, table: tables.operations, clock },
    entry: z.object({ operationId: z.string(), record: z.string() }),
    kept: lookups.referencedOperation,
  });
  const listPayins = createListByReference({
    ...{ dynamo, table: tables.payins, clock },
    entry: z.object({ payinId: z.string(), record: z.string() }),
    kept: lookups.referencedPayin,
  });
  const findOperation = createFindOperation({
    dynamo,
    hashes: tables.hashes,
    operations: createOffRampRepository(dynamo, tables.operations),
    ofUser: createListedOffRamps(dynamo, tables.operations, clock),
    listDepositsOfHash,
    listByReference: listOffRamps,
  });
  const findPayin = createFindPolledPayin(dynamo, tables.payins);
  const webhooks = createWebhookRepository(dynamo, tables.webhooks);
  const readCircuits = createReadCircuits(dynamo, tables.webhookHealth, clock);
  const both = {
    listEventsAbout: createListEventsAbout(dynamo, tables.events),
    listDeliveriesOf: createListDeliveriesOf(dynamo, tables.deliveries, webhooks, readCircuits, clock),
    listChanges: createListChanges(dynamo, tables.audit, clock),
    listOpenProposals: createListOpenProposals(dynamo, tables.proposals, clock),
    clock,
  };
  const named = createWithClientNames(dynamo, tables.clients, clock);
  return routeByPath(
    new Map([
      registerLookup(
        lookups.readOperationContract,
        readOperation({ ...both, heldSince, findOperation, findClient, listDepositsOf, listByReference: listOffRamps }),
      ),
      registerLookup(lookups.readPayinContract, readPayin({ ...both, findPayin, listByReference: listPayins })),
      registerLookup(
        lookups.listUnreadableContract,
        named(
          listUnreadable({
            listDeposits: createListUnreadable(dynamo, tables.deposits, clock),
            listPayins: createListUnreadablePayins(dynamo, tables.payins, clock),
            clock,
          }),
        ),
      ),
      registerLookup(listAuditContract, listAudit(dynamo, tables.audit, clock)),
      registerLookup(
        listProposalsContract,
        listProposals({
          findProposal: createFindProposal(dynamo, tables.proposals),
          listProposals: createListProposals(dynamo, tables.proposals, clock),
          clock,
        }),
      ),
      registerLookup(
        lookups.listSinceContract,
        listSince({
          ...{ dynamo, tables, clock },
          keyOf: {
            operation: operationKey,
            payin: payinKey,
            address: assignmentKey,
          },
          listChangesFrom: createListChangesFrom(dynamo, tables.audit, clock),
          eventsSince: createEventsSince({
            ...{ dynamo, table: tables.events, clock },
            listClientIds: createListClientIds(dynamo, tables.clients),
          }),
        }),
      ),
      registerLookup(lookups.listDeadLettersContract, listDeadLetters(lookAtDeadLetters, clock)),
    ]),
  );
}
