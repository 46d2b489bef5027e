import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { AUDIT_RECORDS, auditedChange, auditedResult, changeLine } from '#shared/operators/audit-records.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries } from '#shared/platform/dynamodb/index-entries.ts';

/** Changes of operators, by what they are about. */
const ABOUT_INDEX = 'about';

/** Changes of one subject, the newest; two items each are read in one call. */
const MOST = 50;

const indexEntry = z.object({ auditId: z.string() });

type ChangeLine = z.infer<typeof changeLine>;

/** What operators changed of these, oldest first, with who did it and why. */
export function createListChanges(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  async function ofOne(subject: string): Promise<readonly ChangeLine[]> {
    const found = await firstEntries(dynamo, table, indexEntry, {
      index: ABOUT_INDEX,
      condition: 'about = :subject',
      values: { ':subject': subject },
      newestFirst: true,
      most: MOST,
    });
    const keysOf = (record: string) => found.map(({ auditId }) => ({ auditId, record }));
    const keys = [...keysOf(AUDIT_RECORDS.asked), ...keysOf(AUDIT_RECORDS.ended)];
    const items = await batchGet(dynamo, clock, table, keys);
    return found.map((_, position) => {
      const ended = items[found.length + position];
      const result = ended === undefined ? undefined : auditedResult.parse(ended).result;
      return changeLine.parse({ ...auditedChange.parse(items[position]), result });
    });
  }

  return async (...subjects: readonly string[]): Promise<ChangeLine[]> =>
    (await Promise.all(subjects.map(ofOne))).flat().toSorted((one, other) => one.at.localeCompare(other.at));
}

export type ListChanges = ReturnType<typeof createListChanges>;
