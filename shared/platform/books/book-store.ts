import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { addDays } from '#shared/platform/time-zone.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { type BookDay, type BookRun, bookDay, bookRun, type Explanation, explanation } from './book.ts';

/** The partition with the run of each book. */
const RUNS = 'RUNS';

/**
 * The key of a line of another kind than days and runs, such as a transfer that was sent: one partition for each kind
 * and UTC day, sorted by time.
 */
const lineKey = (kind: string, at: string, id: string) => ({
  book: `${kind}#${at.slice(0, 10)}`,
  entry: `${at}#${id}`,
});

const explainedIn = (name: string) => `EXPLAINED#${name}`;

const seenKey = (name: string, id: string) => ({ book: `SENT#${name}`, entry: id });

/** The most keys of one call. */
const MOST_KEYS = 100;

const written = z.looseObject({ entry: z.string() });

/**
 * The table of books: a page for each day of each book, the progress of each book, and lines that are stored nowhere
 * else.
 */
export function createBooks(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  async function get(book: string, entry: string) {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { book, entry }, ConsistentRead: true }),
    );
    return Item;
  }

  async function* query(condition: string, values: Readonly<Record<string, string>>) {
    const pages = paginateQuery(
      { client: dynamo },
      { TableName: table, KeyConditionExpression: condition, ExpressionAttributeValues: values, ConsistentRead: true },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }

  return {
    async findRun(name: string): Promise<BookRun | undefined> {
      const item = await get(RUNS, name);
      return item && bookRun.parse(item);
    },

    /** All readable runs. */
    async listRuns(): Promise<readonly BookRun[]> {
      const runs: BookRun[] = [];
      for await (const item of query('book = :runs', { ':runs': RUNS })) {
        const run = parseReadable(`${RUNS} ${item['entry']}`, () => bookRun.parse(item));
        if (run !== undefined) runs.push(run);
      }
      return runs;
    },

    /**
     * Saves the next version of a run; requests are counted by `runNow` alone. Returns `undefined` if the run has
     * changed since it was read: then another call goes on with it.
     */
    async saveRun({ asked, ...run }: BookRun): Promise<BookRun | undefined> {
      const next = { ...run, version: run.version + 1 };
      const { expression, names, values } = assignments(next);
      const update = new UpdateCommand({
        TableName: table,
        Key: { book: RUNS, entry: run.name },
        UpdateExpression: expression,
        ConditionExpression: run.version === 0 ? 'attribute_not_exists(book)' : '#version = :seen',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ...(run.version > 0 && { ':seen': run.version }) },
      });
      return (await unlessConditionFails(updateItem(dynamo, clock, update))) && { ...next, asked };
    },

    /** Makes the next run due now, or after the run that is under way, which is not interrupted: its version stays. */
    async runNow(name: string): Promise<void> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { book: RUNS, entry: name },
        UpdateExpression: 'ADD asked :one',
        ConditionExpression: 'attribute_exists(book)',
        ExpressionAttributeValues: { ':one': 1 },
      });
      await unlessConditionFails(updateItem(dynamo, clock, update));
    },

    async findDay(name: string, day: string): Promise<BookDay | undefined> {
      const item = await get(name, day);
      return item && bookDay.parse(item);
    },

    async saveDay(page: BookDay): Promise<void> {
      await dynamo.send(new PutCommand({ TableName: table, Item: { ...page, entry: page.day } }));
    },

    /** The readable explanations of a day. */
    async findExplanations(name: string, day: string): Promise<readonly Explanation[]> {
      const found: Explanation[] = [];
      const values = { ':book': explainedIn(name), ':day': `${day}#` };
      for await (const item of query('book = :book AND begins_with(entry, :day)', values)) {
        const one = parseReadable(`${explainedIn(name)} ${item['entry']}`, () => explanation.parse(item));
        if (one !== undefined) found.push(one);
      }
      return found;
    },

    /** The leg that stores an explanation. @param id tells it from all other explanations of its day */
    explain(made: Explanation, id: string): TransactionLeg {
      return { Put: { TableName: table, Item: { ...made, book: explainedIn(made.book), entry: `${made.day}#${id}` } } };
    },

    /**
     * The leg that removes a balance difference from a run and, unless a run is under way, makes the next one due now.
     * It fails if the run has changed since it was read, so that a difference is explained only once.
     */
    compareAgain({ name, version, unbalanced = [], underWay }: BookRun, asset: string): TransactionLeg {
      const rest = unbalanced.filter(({ id }) => id !== asset);
      const again = underWay === undefined ? ', nextRunAt = :now' : '';
      return {
        Update: {
          TableName: table,
          Key: { book: RUNS, entry: name },
          UpdateExpression: `SET unbalanced = :rest${again} ADD version :one`,
          ConditionExpression: 'version = :seen',
          ExpressionAttributeValues: {
            ...{ ':rest': rest, ':one': 1, ':seen': version },
            ...(underWay === undefined && { ':now': clock.now().toISOString() }),
          },
        },
      };
    },

    async findLine(kind: string, at: string, id: string): Promise<Item | undefined> {
      const { book, entry } = lineKey(kind, at, id);
      return get(book, entry);
    },

    async saveLine(kind: string, at: string, id: string, line: Item): Promise<void> {
      const Item = { ...line, ...lineKey(kind, at, id), id, createdAt: at };
      await dynamo.send(new PutCommand({ TableName: table, Item }));
    },

    /** Records that the provider has listed what was sent for this id. */
    async saveSeen(name: string, id: string): Promise<void> {
      await dynamo.send(new PutCommand({ TableName: table, Item: { ...seenKey(name, id) } }));
    },

    /** The ids for which `saveSeen` has recorded that. */
    async findSeen(name: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const seen = new Set<string>();
      for await (const group of inGroups(ids, MOST_KEYS)) {
        const found = await batchGet(
          dynamo,
          clock,
          table,
          group.map((id) => seenKey(name, id)),
        );
        for (const [position, id] of group.entries()) if (found[position] !== undefined) seen.add(id);
      }
      return seen;
    },

    /** Lines of a kind in a range of times, both ends included, in their order. */
    async *lines(kind: string, since: string, upTo: string) {
      // DynamoDB rejects a range that ends before it starts; such a range is empty.
      if (since > upTo) return;
      for (let day = since.slice(0, 10); day <= upTo.slice(0, 10); day = addDays(day, 1)) {
        const condition = 'book = :book AND entry BETWEEN :since AND :upTo';
        // `~` sorts after any id of that time.
        const values = { ':book': `${kind}#${day}`, ':since': since, ':upTo': `${upTo}~` };
        for await (const item of query(condition, values)) yield written.parse(item);
      }
    },
  };
}

export type Books = ReturnType<typeof createBooks>;
