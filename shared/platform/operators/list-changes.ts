import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { readable } from '#shared/platform/unreadable.ts';
import {
  AUDIT_RECORDS,
  auditedChange,
  auditedResult,
  auditLine,
  changeLine,
  type listAuditContract,
  personOf,
} from './audit-records.ts';

/** The newest changes of one subject or person; one call reads their two items each. */
const MOST = 50;

/** After all times. */
const EVER = '9';

const indexEntry = z.object({ auditId: z.string(), at: z.string() });

type ChangeLine = z.infer<typeof changeLine>;

/** The audit's indexes: by the subject of a change, and by its author. */
const INDEXES = { about: 'about', person: 'byPerson' } as const;

/** The newest changes up to a time, and the end of the next page. */
function createReadAudit(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (attribute: keyof typeof INDEXES, value: string, until: string) => {
    const found = await firstEntries(dynamo, table, indexEntry, {
      index: INDEXES[attribute],
      condition: `${attribute} = :of AND #at <= :until`,
      names: { '#at': 'at' },
      values: { ':of': value, ':until': until },
      newestFirst: true,
      most: MOST + 1,
    });
    const shown = found.slice(0, MOST);
    const keysOf = (record: string) => shown.map(({ auditId }) => ({ auditId, record }));
    const items = await batchGet(dynamo, clock, table, [
      ...keysOf(AUDIT_RECORDS.asked),
      ...keysOf(AUDIT_RECORDS.ended),
    ]);
    const changes = shown.flatMap(({ auditId }, position) => {
      const change = readable(auditId, () => {
        const ended = items[shown.length + position];
        const result = ended === undefined ? undefined : auditedResult.parse(ended).result;
        return { ...auditedChange.parse(items[position]), result };
      });
      return change ?? [];
    });
    return { changes, nextUntil: found[MOST]?.at };
  };
}

/** The operators' changes of these subjects, oldest first, with author and reason. */
export function createListChanges(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const readAudit = createReadAudit(dynamo, table, clock);
  return async (...subjects: readonly string[]): Promise<ChangeLine[]> => {
    const found = await Promise.all(subjects.map((subject) => readAudit('about', subject, EVER)));
    const changes = new Map(found.flatMap((one) => one.changes.map((change) => [change.auditId, change])));
    return [...changes.values()]
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .map((change) => changeLine.parse(change));
  };
}

export type ListChanges = ReturnType<typeof createListChanges>;

/** An ARN matches exactly; a name matches it in every role. */
export function listAudit(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): UseCase<typeof listAuditContract> {
  const readAudit = createReadAudit(dynamo, table, clock);
  return async ({ query }) => {
    const { about, by, until: given } = query();
    const until = given === undefined ? EVER : new Date(given).toISOString();
    const person = by === undefined ? undefined : personOf(by);
    const { changes, nextUntil } =
      about === undefined ? await readAudit('person', person ?? '', until) : await readAudit('about', about, until);
    const items = changes
      .filter(({ who }) => person === undefined || personOf(who) === person)
      .filter(({ who }) => by === undefined || !by.includes(':') || who === by)
      .map((change) => auditLine.parse(change));
    return { body: { items, ...(nextUntil !== undefined && { nextUntil }) } };
  };
}
