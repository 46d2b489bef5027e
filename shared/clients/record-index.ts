import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { queryIndex, readFirstEntries } from '#shared/platform/dynamodb/index-entries.ts';

/** Selects records: all of a user, or those with one reference of its client. */
export interface UserFilter {
  readonly userId: string;
  readonly externalReference?: string | undefined;
}

/** Selects records of all users of a client: all, or those with one reference. */
export interface ClientFilter {
  readonly clientId: string;
  readonly externalReference?: string | undefined;
}

type IdName = 'operationId' | 'payinId';

/** The place of a record in a list: its key in the table, and the time of its creation. */
interface Place {
  readonly key: Item;
  readonly createdAt: string;
}

/** Records of one reference that are sorted in memory, at most: a query of 200 kB. */
const MOST_IN_ORDER = 1000;

/**
 * Lists the ids of a user's records, newest first, after a given place, which may be that of a record outside the
 * filter. If the user has very many records with the reference, others are listed, too: the caller leaves them out.
 */
export async function* queryUserIndex(
  dynamo: DynamoDBDocumentClient,
  table: string,
  idName: IdName,
  { userId, externalReference }: UserFilter,
  after: Place | undefined,
): AsyncGenerator<string> {
  const entry = entryOf(idName);
  const allOfUser = queryIndex(dynamo, table, entry, {
    ...{ index: 'byUser', condition: 'userId = :of', values: { ':of': userId } },
    ...{ newestFirst: true, pageSize: 100 },
    after: after && { ...after.key, ...{ userId, createdAt: after.createdAt } },
  });
  // A reference has few records, so its index needs no order: its key is of attributes that the record has anyway.
  const found =
    externalReference &&
    (await readFirstEntries(dynamo, table, entry, {
      ...{ index: 'byReference', condition: 'userId = :of AND externalReference = :reference' },
      values: { ':of': userId, ':reference': externalReference },
      most: MOST_IN_ORDER + 1,
    }));
  if (!found || found.length > MOST_IN_ORDER) {
    for await (const { id } of allOfUser) yield id;
    return;
  }
  const placeOf = (createdAt: string, id: unknown) => `${createdAt}#${id}`;
  const places = new Map(found.map(({ createdAt, id }) => [placeOf(createdAt, id), id]));
  const last = after && placeOf(after.createdAt, after.key[idName]);
  for (const place of [...places.keys()].toSorted().toReversed()) {
    if (last === undefined || place < last) yield places.get(place) ?? '';
  }
}

/** An entry of an index of records. */
function entryOf(idName: IdName) {
  return z.pipe(
    z.looseObject({ createdAt: z.string() }),
    z.transform(({ createdAt, ...keys }) => ({ id: z.string().parse(keys[idName]), createdAt })),
  );
}

/**
 * Lists the ids of a client's records, newest first, after a given place. All users of a client may share one
 * reference, so its index is ordered, too.
 */
export async function* queryClientIndex(
  dynamo: DynamoDBDocumentClient,
  table: string,
  idName: IdName,
  { clientId, externalReference }: ClientFilter,
  after: Place | undefined,
): AsyncGenerator<string> {
  const { index, of } =
    externalReference === undefined
      ? { index: 'byClient', of: { clientId } }
      : { index: 'byClientReference', of: referenceKey({ clientId, externalReference }) };
  const query = {
    ...{ index, newestFirst: true, pageSize: 100 },
    ...{ condition: `${Object.keys(of).join()} = :of`, values: { ':of': Object.values(of).join() } },
    after: after && { ...after.key, ...of, createdAt: after.createdAt },
  };
  for await (const { id } of queryIndex(dynamo, table, entryOf(idName), query)) yield id;
}

/** The key of a record in the index of its client's references, if any. Short, because every write pays for it. */
export function referenceKey({ clientId, externalReference }: ClientFilter): { readonly clientReference?: string } {
  if (externalReference === undefined) return {};
  const digest = createHash('sha256').update(`${clientId}#${externalReference}`).digest();
  return { clientReference: digest.subarray(0, 16).toString('base64url') };
}
