import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payinKey } from '#shared/pay-ins/pay-in-records.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { instant } from '#shared/platform/http/fields.ts';

/** The page that is read next: the number of pages before it, and the rail's cursor. */
const pagePosition = z.object({ page: z.number(), cursor: z.optional(z.string()) });

export type PagePosition = Readonly<z.infer<typeof pagePosition>>;

/** The progress of a pass, which reads a rail's list from its beginning to its end once a day. */
export const listPass = z.object({
  /** When the pass began: payments that are created later belong to the next pass. */
  startedAt: instant,
  /** The next page of each week that is not read to its end. Absent if none is left, or the previous release began. */
  places: z.optional(z.record(z.string(), pagePosition)),
  /** The `startedAt` of the pass of `places`. The previous release begins passes without places, but keeps old ones. */
  placesOf: z.optional(instant),
  isUnderWay: z.boolean(),
  /** When this pass continues, or the next one begins. */
  nextRunAt: instant,
  /** When the last completed pass began; before the first one is completed, when that one began. */
  doneFrom: instant,
  sequence: z.number(),
});

export type ListPass = Readonly<Omit<z.infer<typeof listPass>, 'placesOf'>>;

/** The digest of a page with which all its pay-ins agreed, and when they last did; empty while some do not agree. */
export const agreedPage = z.object({ digest: z.optional(z.string()), agreedAt: z.optional(instant) });

export type AgreedPage = Readonly<z.infer<typeof agreedPage>>;

/** Weeks. A list covers no more, so the pages of a new week replace those of a week that is no longer listed. */
const WEEKS_KEPT = 10;

/** Stores the pass of each rail, and the digests of its pages, in the table of pay-ins. */
export function createListPasses(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const keyOf = (rail: string, record: string) => ({ ...payinKey(`LIST#${rail}`), record });
  const passOf = (rail: string) => keyOf(rail, 'LIST_PASS');
  const pageOf = (rail: string, week: number, page: number) => keyOf(rail, `LIST_PAGE#${week % WEEKS_KEPT}#${page}`);
  const read = async (Key: ReturnType<typeof keyOf>) =>
    (await dynamo.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }))).Item;
  return {
    async find(rail: string): Promise<ListPass | undefined> {
      const item = await read(passOf(rail));
      if (item === undefined) return undefined;
      const { places, placesOf, ...pass } = listPass.parse(item);
      return { ...pass, ...(placesOf === pass.startedAt && { places }) };
    },

    /** Writes nothing if another call has saved the pass since it was read: that call continues it. */
    async save(rail: string, pass: ListPass): Promise<void> {
      const { sequence: seen, places, ...rest } = pass;
      const next = { ...rest, sequence: seen + 1 };
      // The previous release would continue from this cursor.
      const { expression, names, values } = assignments({
        ...next,
        places,
        placesOf: places && next.startedAt,
        cursor: undefined,
      });
      const update = new UpdateCommand({
        TableName: table,
        Key: passOf(rail),
        UpdateExpression: expression,
        ConditionExpression: seen === 0 ? 'attribute_not_exists(payinId)' : '#sequence = :seen',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ...(seen > 0 && { ':seen': seen }) },
      });
      await unlessConditionFails(updateItem(dynamo, clock, update));
    },

    async findAgreed(rail: string, week: number, page: number): Promise<AgreedPage> {
      return agreedPage.parse((await read(pageOf(rail, week, page))) ?? {});
    },

    async saveAgreed(rail: string, week: number, page: number, { digest, agreedAt }: AgreedPage): Promise<void> {
      const { expression, names, values } = assignments({ digest, agreedAt });
      const update = new UpdateCommand({
        TableName: table,
        Key: pageOf(rail, week, page),
        UpdateExpression: expression,
        ExpressionAttributeNames: names,
        ...(digest !== undefined && { ExpressionAttributeValues: values }),
      });
      await updateItem(dynamo, clock, update);
    },
  };
}

export type ListPasses = ReturnType<typeof createListPasses>;
