import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { pageOfShards } from '#shared/platform/dynamodb/sharded-page.ts';
import { payin } from './pay-in.ts';
import { completedPayinShards, payinKey } from './pay-in-records.ts';

/** Sparse: pay-ins that were paid are in it, by when they were completed. */
const COMPLETED_INDEX = 'completed';

const indexEntry = z.object({ payinId: z.string(), completedAt: z.string() });

const paidPayin = z.extend(payin, { completedAt: z.string() });

/** Pay-ins by when they were completed, between these times, the first one first. */
export function createListCompleted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (since: string, upTo: string, most: number) => {
    const { items, ...next } = await pageOfShards(dynamo, clock, table, indexEntry, {
      index: COMPLETED_INDEX,
      keys: ['completedShard', 'completedAt'],
      shards: completedPayinShards,
      since,
      upTo,
      most,
      keyOf: ({ payinId }) => payinKey(payinId),
    });
    return { items: items.map((item) => paidPayin.parse(item)), ...next };
  };
}

export type ListCompleted = ReturnType<typeof createListCompleted>;
