import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ClientProfile } from '#shared/clients/client-contract.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet, batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import { queryIndex } from '#shared/platform/dynamodb/index-entries.ts';
import { reportUnreadable } from '#shared/platform/unreadable.ts';
import { clientApproval } from './client-approval.ts';

/** The index of all clients by name. Its only partition has room for millions, and gets one write per client. */
const INDEX = 'byName';
const DIRECTORY = 'CLIENT';

/** Characters of each of the two names in the index key, so that the key is within DynamoDB's limit. */
const MOST_SEARCHED = 160;

/** A text for searches: in lower case, without accents, with single spaces between words. */
function folded(text: string): string {
  const words = text.normalize('NFKD').toLowerCase().split(/\s/u);
  const plain = words.map((word) => word.replace(/[\p{M}\p{C}]/gu, ''));
  return plain.filter((word) => word !== '').join(' ');
}

/** The index key of a client's record. */
export function directoryEntry({ tradeName, person: { businessName } }: NamedClient) {
  const names = [tradeName, businessName].map((name) => folded(name).slice(0, MOST_SEARCHED));
  return { directory: DIRECTORY, searchName: names.join(' / ') };
}

type NamedClient = Pick<ClientProfile, 'tradeName'> & {
  readonly person: Pick<ClientProfile['person'], 'businessName'>;
};

const indexEntry = z.object({ clientId: z.string(), searchName: z.string() });

const listed = z.pipe(
  z.extend(z.pick(clientApproval, { clientId: true, complianceStatus: true, status: true }), {
    profile: z.object({ tradeName: z.string(), person: z.object({ businessName: z.string() }) }),
  }),
  z.transform(({ profile: { tradeName, person }, ...client }) => ({
    ...client,
    tradeName,
    businessName: person.businessName,
  })),
);

/** Lists clients by name, in order, after the given client; `UNKNOWN` if that client does not exist. */
export function createSearchClients(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  async function placeOf(clientId: string) {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId } }));
    const found = indexEntry.safeParse(Item);
    return found.success ? { ...found.data, directory: DIRECTORY } : undefined;
  }

  /** @param name words, each of which must be part of the client's names */
  return async (name: string, afterId: string | undefined, most: number) => {
    const words = folded(name).split(' ');
    const after = afterId === undefined ? undefined : await placeOf(afterId);
    if (afterId !== undefined && after === undefined) return 'UNKNOWN';
    const found: string[] = [];
    for await (const { clientId, searchName } of queryIndex(dynamo, table, indexEntry, {
      index: INDEX,
      condition: 'directory = :directory',
      values: { ':directory': DIRECTORY },
      after,
    })) {
      if (words.every((word) => searchName.includes(word)) && found.push(clientId) > most) break;
    }
    const keys = found.slice(0, most).map((clientId) => ({ clientId }));
    const { items, unreadable } = await batchGetReadable(dynamo, clock, table, keys, listed);
    const unreadableIds = [...reportUnreadable(unreadable)];
    return {
      items,
      ...(unreadableIds.length > 0 && { unreadableIds }),
      ...(found.length > most && { nextAfter: found[most - 1] }),
    };
  };
}

/** Ids of all clients, for a sweep that gives each its turn. A client that was just created may be missing. */
export function createListClientIds(dynamo: DynamoDBDocumentClient, table: string) {
  return async (): Promise<readonly string[]> => {
    const ids: string[] = [];
    for await (const { clientId } of queryIndex(dynamo, table, indexEntry, {
      index: INDEX,
      condition: 'directory = :directory',
      values: { ':directory': DIRECTORY },
    })) {
      ids.push(clientId);
    }
    return ids;
  };
}

export type ListClientIds = ReturnType<typeof createListClientIds>;

const named = z.object({ profile: z.object({ tradeName: z.string() }) });

/** The trade names of at most 100 clients, by their ids. */
function createNameClients(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (clientIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const ids = [...new Set(clientIds)];
    const items = await batchGet(
      dynamo,
      clock,
      table,
      ids.map((clientId) => ({ clientId })),
    );
    return new Map(
      ids.flatMap((clientId, position) => {
        const found = named.safeParse(items[position]);
        return found.success ? [[clientId, found.data.profile.tradeName] as const] : [];
      }),
    );
  };
}

interface Listed {
  readonly body: { readonly items: readonly { readonly clientId?: string | undefined }[] };
}

/** Adds clients' names to the rows of a list, because people do not know ids. One read per page. */
export function createWithClientNames(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const nameClients = createNameClients(dynamo, table, clock);
  return <Call, Answer extends Listed>(list: (call: Call) => Promise<Answer>) =>
    async (call: Call) => {
      const answer = await list(call);
      const { items } = answer.body;
      const names = await nameClients(items.flatMap(({ clientId }) => clientId ?? []));
      const named = items.map((item) => ({ ...item, client: names.get(item.clientId ?? '') }));
      return { ...answer, body: { ...answer.body, items: named } };
    };
}
