import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createWithClientNames } from '#shared/clients/client-directory.ts';
import { createListCompleted, createListMismatched } from '#shared/pay-ins/pay-in-lists.ts';
import { listMismatchedContract, reportPayinsContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { createFindPolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { listMismatched } from './list-mismatched.ts';
import { reportPayins } from './report-payins.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'clients' | 'payins' | 'proposals', string>>;
  readonly clock: Clock;
  /** The time zone of the days in reports, unless a call names another one. */
  readonly timeZone: string;
}

/** The look-ups of operators that are about pay-ins alone. */
export function lookUpPayIns({ dynamo, tables, clock, timeZone }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const named = createWithClientNames(dynamo, tables.clients, clock);
  const list = createListMismatched(dynamo, tables.payins);
  const findPayin = createFindPolledPayin(dynamo, tables.payins);
  const listOpenProposals = createListOpenProposals(dynamo, tables.proposals, clock);
  return routeByPath(
    new Map([
      registerLookup(listMismatchedContract, named(listMismatched({ list, findPayin, listOpenProposals, clock }))),
      registerLookup(
        reportPayinsContract,
        reportPayins(createListCompleted(dynamo, tables.payins, clock), clock, timeZone),
      ),
    ]),
  );
}
