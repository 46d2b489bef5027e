import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createListClientIds, createWithClientNames } from '#shared/clients/client-directory.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import * as lookups from '#shared/off-ramps/contract/operator-lookups.ts';
import { addFundingDeposits } from '#shared/off-ramps/store/claims.ts';
import { createListDepositsOf, createListDepositsOfHash } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositRepository, createFindDepositStatuses } from '#shared/off-ramps/store/deposit-repository.ts';
import { createListOwed, createListUnmatched } from '#shared/off-ramps/store/finance-lists.ts';
import {
  createListAwaiting,
  createListContradicted,
  createListCredited,
  createListPending,
} from '#shared/off-ramps/store/off-ramp-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createListReturns } from '#shared/off-ramps/store/return-lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createListChanges } from '#shared/platform/operators/list-changes.ts';
import { createListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { listContradictions } from './list-contradictions.ts';
import { listOwed } from './list-owed.ts';
import { listReturns } from './list-returns.ts';
import { listUnmatched } from './list-unmatched.ts';
import { listUnpaid } from './list-unpaid.ts';
import { listWaiting } from './list-waiting.ts';
import { readDeposit } from './read-deposit.ts';
import { reportOfframps } from './report-offramps.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'clients' | 'operations' | 'hashes' | 'deposits' | 'audit' | 'proposals', string>>;
  readonly clock: Clock;
  /** Hours after the credit from which a payout is late. */
  readonly payoutHours: number;
  /** The time zone of the days in reports, unless a call names another one. */
  readonly timeZone: string;
  /** The time to which tables were restored, while returns are held. */
  readonly heldSince?: string;
}

/** Handles the look-ups of operators that concern only off-ramps and deposits. */
export function lookUpOffRamps({ dynamo, tables, clock, payoutHours, timeZone, heldSince }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const named = createWithClientNames(dynamo, tables.clients, clock);
  const operations = createOffRampRepository(dynamo, tables.operations);
  const deposits = createDepositRepository(dynamo, tables.deposits, clock);
  const listDepositsOf = createListDepositsOf(dynamo, tables.deposits, clock);
  const listDepositsOfHash = createListDepositsOfHash(dynamo, tables.deposits, clock);
  const listClientIds = createListClientIds(dynamo, tables.clients);
  const listAwaiting = createListAwaiting(dynamo, tables.operations, listClientIds);
  const listPending = createListPending(dynamo, tables.operations);
  const listContradicted = createListContradicted(dynamo, tables.operations, clock);
  const listChanges = createListChanges(dynamo, tables.audit, clock);
  const findClient = createFindClient(dynamo, tables.clients);
  const listOpenProposals = createListOpenProposals(dynamo, tables.proposals, clock);
  const finance = { operations, listOpenProposals, clock };
  return routeByPath(
    new Map([
      registerLookup(
        lookups.readDepositContract,
        readDeposit({ ...finance, deposits, listDepositsOfHash, listChanges, heldSince }),
      ),
      registerLookup(
        lookups.listWaitingContract,
        named(listWaiting({ ...finance, heldSince, listAwaiting, operations, listDepositsOf, findClient })),
      ),
      registerLookup(
        lookups.listUnmatchedContract,
        named(listUnmatched({ ...finance, list: createListUnmatched(dynamo, tables.deposits, clock) })),
      ),
      registerLookup(
        lookups.listOwedContract,
        named(listOwed({ ...finance, listOwed: createListOwed(dynamo, tables.deposits, clock) })),
      ),
      registerLookup(
        lookups.listReturnsContract,
        named(listReturns({ ...finance, list: createListReturns(dynamo, tables.deposits, clock), heldSince })),
      ),
      registerLookup(
        lookups.listUnpaidContract,
        named(listUnpaid({ listPending, operations, listDepositsOf, clock, payoutHours })),
      ),
      registerLookup(lookups.listContradictionsContract, named(listContradictions(listContradicted, clock))),
      registerLookup(
        lookups.reportOfframpsContract,
        reportOfframps({
          listCredited: createListCredited(dynamo, tables.operations, listClientIds, clock),
          addFundingDeposits: (credited) => addFundingDeposits(dynamo, tables.hashes, clock, credited),
          findDepositStatuses: createFindDepositStatuses(dynamo, tables.deposits, clock),
          clock,
          timeZone,
        }),
      ),
    ]),
  );
}
