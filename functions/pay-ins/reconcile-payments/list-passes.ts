import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payinKey } from '#shared/pay-ins/pay-in-records.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { instant } from '#shared/platform/http/fields.ts';

/** The page that is read next: how many were read before it, and the rail's cursor of it. */
const place = z.object({ page: z.number(), cursor: z.optional(z.string()) });

export type Place = Readonly<z.infer<typeof place>>;

/** How far a rail's list has been read, once a day from its beginning to its end. */
export const listPass = z.object({
  /** When it was begun: payments that are created later belong to the next pass. */
  startedAt: instant,
  /** By week, for weeks that are not read to their end. Absent in a pass that the release before began. */
  places: z.optional(z.record(z.string(), place)),
  /** The `startedAt` of their pass: the release before begins passes without them, and leaves them as they are. */
  placesOf: z.optional(instant),
  isUnderWay: z.boolean(),
  /** When the list is read on, or again. */
  nextRunAt: instant,
  /** When the last pass that came to its end was begun; the first of all, until then. */
  doneFrom: instant,
  sequence: z.number(),
});

export type ListPass = Readonly<Omit<z.infer<typeof listPass>, 'placesOf'>>;

/** What a page said when all its pay-ins agreed with it, and when they last did; nothing while some do not. */
export const agreedPage = z.object({ digest: z.optional(z.string()), agreedAt: z.optional(instant) });

export type AgreedPage = Readonly<z.infer<typeof agreedPage>>;

/** A list covers fewer weeks: the pages of a new one take the places of those that are not listed any more. */
const WEEKS_KEPT = 10;

/** The pass of each rail, and what agreed on its pages, beside the pay-ins. */
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

    /** Not when another call has gone on since it was read: it is that one's. */
    async save(rail: string, pass: ListPass): Promise<void> {
      const { sequence: seen, places, ...rest } = pass;
      const next = { ...rest, sequence: seen + 1 };
      // From its cursor the release before would go on.
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
