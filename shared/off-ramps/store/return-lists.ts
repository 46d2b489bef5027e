import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Deposit, deposit, depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { queryIndex, readFirstItemsOfShards } from '#shared/platform/dynamodb/index-entries.ts';
import type { FindDeposits } from './created-deposits.ts';

/** A sparse index of returns. Returns are rare, so each of their states is one partition. */
const RETURNS_INDEX = 'returns';

const returnEntry = z.object({ custodianTransferId: z.string(), returnDueAt: z.string() });

/** Entries read at a time. */
const PAGE = 50;

/** Lists the returns in a state that are due by now, longest due first. */
export function createListDueReturns(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (state: 'DUE' | 'WATCHED') =>
    queryIndex(dynamo, table, returnEntry, {
      index: RETURNS_INDEX,
      condition: 'returnState = :state AND returnDueAt <= :now',
      values: { ':state': state, ':now': clock.now().toISOString() },
      pageSize: PAGE,
    });
}

export type ListDueReturns = ReturnType<typeof createListDueReturns>;

/**
 * Finds the deposit that the service is sending back under an id, or has just sent back. Reads the state DUE first: a
 * return that is recorded meanwhile moves to WATCHED, and is found there.
 */
export function createFindDepositOfSending(dynamo: DynamoDBDocumentClient, table: string, findDeposits: FindDeposits) {
  return async (externalId: string): Promise<Deposit | 'UNREADABLE' | undefined> => {
    for (const state of ['DUE', 'WATCHED']) {
      const query = { index: RETURNS_INDEX, condition: 'returnState = :state', values: { ':state': state } };
      for await (const { custodianTransferId: id } of queryIndex(dynamo, table, returnEntry, query)) {
        if (!externalId.startsWith(`${depositIdOf(id)}-`)) continue;
        const found = (await findDeposits([id])).get(id);
        return found === 'UNREADABLE' || isSentAs(found, externalId) ? found : undefined;
      }
    }
    return undefined;
  };
}

export type FindDepositOfSending = ReturnType<typeof createFindDepositOfSending>;

const isSentAs = (found: Deposit | undefined, externalId: string) =>
  found?.return?.sendingAt !== undefined && sendingIdOf(found) === externalId;

/** Milliseconds: longer than any pause between two polls of a return. */
const AHEAD = 24 * 3600_000;

/** Lists returns that are not sent yet, by the start of their wait or the time of their next step, at most 100. */
export function createListReturns(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
      index: RETURNS_INDEX,
      keys: ['returnState', 'returnDueAt'],
      shards: ['WAITING', 'DUE'],
      since,
      upTo: new Date(clock.now().getTime() + AHEAD).toISOString(),
      most,
      entry: returnEntry,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: deposit,
    });
}

export type ListReturns = ReturnType<typeof createListReturns>;
