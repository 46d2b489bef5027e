import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { readFirstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { addDays } from '#shared/platform/time-zone.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import {
  AUDIT_RECORDS,
  auditedChange,
  auditedResult,
  auditLine,
  changeLine,
  type listAuditContract,
  operatorName,
  utcDay,
} from './audit-records.ts';

/** The most changes of a page. A change has two items, and one call reads up to a hundred. */
const MOST = 50;

/** Sorts after all times. */
const EVER = '9';

const indexEntry = z.object({ auditId: z.string(), at: z.string() });

type ChangeLine = z.infer<typeof changeLine>;

/** The audit's indexes: by the subject of a change, and by its author. */
const INDEXES = { about: 'about', person: 'byPerson' } as const;

/**
 * The newest changes up to a time, and the time of the next page. That time is always earlier than the newest change's,
 * so that paging makes progress. If more than `most` changes share one millisecond, more than `most` are returned.
 */
function createReadAudit(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async function read(attribute: keyof typeof INDEXES, value: string, until: string, most = MOST) {
    const found = await readFirstEntries(dynamo, table, indexEntry, {
      index: INDEXES[attribute],
      condition: `${attribute} = :of AND #at <= :until`,
      names: { '#at': 'at' },
      values: { ':of': value, ':until': until },
      newestFirst: true,
      most: most + 1,
    });
    const next = found[most];
    if (next !== undefined && found[0]?.at === next.at) return read(attribute, value, until, 2 * most);
    return { changes: await readChanges(dynamo, table, clock, found.slice(0, most)), nextUntil: next?.at };
  };
}

/** Changes with their results, in the order of their ids. Unreadable ones, and ids of no change, are left out. */
async function readChanges(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
  ids: readonly { readonly auditId: string }[],
) {
  const keysOf = (record: string) => ids.map(({ auditId }) => ({ auditId, record }));
  const items = await batchGet(dynamo, clock, table, [...keysOf(AUDIT_RECORDS.asked), ...keysOf(AUDIT_RECORDS.ended)]);
  return ids.flatMap(({ auditId }, position) => {
    if (items[position] === undefined) return [];
    const change = parseReadable(auditId, () => {
      const ended = items[ids.length + position];
      const { result, about: made } = ended === undefined ? {} : auditedResult.parse(ended);
      return { ...auditedChange.parse(items[position]), result, made };
    });
    return change ?? [];
  });
}

/**
 * Lists up to fifty changes from a time on, or after the one with `lastId`, day by day, oldest first. `last` is the
 * last of them if there are more.
 */
export function createListChangesFrom(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (from: string, lastId: string | undefined) => {
    const found: z.infer<typeof indexEntry>[] = [];
    const today = utcDay(clock.now().toISOString());
    for (let day = utcDay(from); day <= today && found.length <= MOST; day = addDays(day, 1)) {
      const isFirst = day === utcDay(from);
      const entries = await readFirstEntries(dynamo, table, indexEntry, {
        index: 'byDay',
        condition: '#day = :day AND #at >= :from',
        names: { '#day': 'day', '#at': 'at' },
        values: { ':day': day, ':from': isFirst ? from : day },
        after: isFirst && lastId ? { auditId: lastId, record: AUDIT_RECORDS.asked, day, at: from } : undefined,
        most: MOST + 1 - found.length,
      });
      found.push(...entries);
    }
    const shown = found.slice(0, MOST);
    return {
      changes: await readChanges(dynamo, table, clock, shown),
      last: found.length > MOST ? shown.at(-1) : undefined,
    };
  };
}

export type ListChangesFrom = ReturnType<typeof createListChangesFrom>;

/** The operators' changes to these subjects, oldest first, with author and reason. */
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

/**
 * `by` matches an ARN exactly, and a name in every role. If `about` is the id of a change, as commands print it, that
 * change comes after the changes about it, which are later.
 */
export function listAudit(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): UseCase<typeof listAuditContract> {
  const readAudit = createReadAudit(dynamo, table, clock);
  return async ({ query }) => {
    const { about, by, until: given } = query();
    const until = given === undefined ? EVER : new Date(given).toISOString();
    const person = by === undefined ? undefined : operatorName(by);
    const { changes, nextUntil } =
      about === undefined ? await readAudit('person', person ?? '', until) : await readAudit('about', about, until);
    const ids = about === undefined || nextUntil !== undefined ? [] : [{ auditId: about }];
    const named = await readChanges(dynamo, table, clock, ids);
    const items = [...changes, ...named.filter(({ at }) => at <= until)]
      .filter(({ who }) => person === undefined || operatorName(who) === person)
      .filter(({ who }) => by === undefined || !by.includes(':') || who === by)
      .map((change) => auditLine.parse(change));
    return { body: { items, ...(nextUntil !== undefined && { nextUntil }) } };
  };
}
