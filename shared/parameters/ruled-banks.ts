import { type DynamoDBDocumentClient, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { assignments, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { bank } from './parameter-lists.ts';

/** A bank with its state at the rail that rules the list, and by the operators. */
export const ruledBank = z.extend(bank, {
  /** The rail that last listed it; absent when it is from the stage's file. */
  rail: z.optional(z.string()),
  /** The time since which that rail has not listed it, while it is active. */
  missingSince: z.optional(instant),
  deactivatedAt: z.optional(z.string()),
});

export type RuledBank = Readonly<z.infer<typeof ruledBank>>;

/** When a rail's list was last read, and when it is read again. */
export const bankRefresh = z.object({
  /** The time of the last successful read; until the first one, the time of the first try. */
  readAt: instant,
  nextRunAt: instant,
});

export type BankRefresh = Readonly<z.infer<typeof bankRefresh>>;

/**
 * The list of banks in a stage where a rail rules it (decisions.md 6). The operators' deactivations are never written
 * here.
 */
export function createRuledBanks(dynamo: DynamoDBDocumentClient, table: string) {
  const refreshKey = (rail: string) => ({ kind: 'BANK_LIST', id: rail });

  async function write(
    Key: Readonly<Record<'kind' | 'id', string>>,
    attributes: Readonly<Record<string, unknown>>,
    condition?: 'attribute_exists(id)',
  ): Promise<void> {
    const { expression, names, values } = assignments(attributes);
    const update = new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ConditionExpression: condition,
    });
    await unlessConditionFails(dynamo.send(update));
  }

  return {
    /** Every bank, active or not. */
    async all(): Promise<readonly RuledBank[]> {
      const query = { TableName: table, KeyConditionExpression: 'kind = :kind', ConsistentRead: true };
      const pages = paginateQuery({ client: dynamo }, { ...query, ExpressionAttributeValues: { ':kind': 'BANK' } });
      const found: RuledBank[] = [];
      for await (const { Items = [] } of pages) found.push(...Items.map((item) => ruledBank.parse(item)));
      return found;
    },

    /** Writes a bank that the rail lists: it is active, unless operators have deactivated it. */
    list: ({ id, ...listed }: Pick<RuledBank, 'id' | 'code' | 'name' | 'rail'>) =>
      write({ kind: 'BANK', id }, { ...listed, active: true, missingSince: undefined }),

    /** Marks a bank as not listed. Like `end`, does nothing for a bank that a deployment has removed meanwhile. */
    miss: (id: string, at: string) => write({ kind: 'BANK', id }, { missingSince: at }, 'attribute_exists(id)'),

    end: (id: string) =>
      write({ kind: 'BANK', id }, { active: false, missingSince: undefined }, 'attribute_exists(id)'),

    async findRefresh(rail: string): Promise<BankRefresh | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: refreshKey(rail), ConsistentRead: true }),
      );
      return Item && bankRefresh.parse(Item);
    },

    saveRefresh: (rail: string, { readAt, nextRunAt }: BankRefresh) => write(refreshKey(rail), { readAt, nextRunAt }),
  };
}

export type RuledBanks = ReturnType<typeof createRuledBanks>;
