import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { listSinceContract, sinceLine } from '#shared/operators/lookups.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { invalidCursor } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { unreadableIn } from '#shared/platform/operators/list-answer.ts';
import type { ListChangesFrom } from '#shared/platform/operators/list-changes.ts';
import { readable } from '#shared/platform/unreadable.ts';
import { BROKE_OFF, NOT_SENT_TWICE, ONLY_PROPOSED, putRight } from './put-right.ts';

type Line = z.infer<typeof sinceLine>;

/** Its body is empty for what is not one of ours. */
interface EventSince {
  readonly id: string;
  readonly clientId: string;
  readonly body: string;
}

interface Place {
  readonly clientId: string;
  readonly place: string;
}

/** Events that the bus has not accepted, and those of all clients or one. */
interface EventsSince {
  unpublished(
    from: string,
  ): Promise<{ events: readonly EventSince[]; unreadable: readonly Item[]; nextAt?: string | undefined }>;
  published(
    from: Date,
    client: string | undefined,
    after: Place | undefined,
  ): Promise<{ events: readonly EventSince[]; last?: Place | undefined }>;
}

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'operations' | 'payins' | 'hashes', string>>;
  /** Keys of records, by their ids. */
  readonly keyOf: Readonly<Record<'operation' | 'payin', (id: string) => Item>> & {
    /** Of the claim of an off-ramp's address, as the off-ramp is stored. */
    readonly address: (operation: Item) => Item;
  };
  readonly listChangesFrom: ListChangesFrom;
  readonly eventsSince: EventsSince;
  readonly clock: Clock;
}

/** Milliseconds for which tables can be restored to any second, with a day for whoever looks again. */
const RESTORABLE = 36 * 24 * 3600_000;

/** Milliseconds: what was begun before the second may have been written after it. */
const UNDER_WAY = 60_000;

/** Errors after which a change may have been made: the answer to its write was lost, or it broke off behind it. */
const unknownEnds = [apiErrors.INTERNAL_ERROR.code, apiErrors.SERVICE_UNAVAILABLE.code];

/** What puts a change right, by its result in the audit; `undefined` for one that was refused. */
function nextOf(command: string, result: string | undefined): string | undefined {
  if (result === 'PROPOSED') return ONLY_PROPOSED;
  const done = putRight[command];
  if (result === 'DONE') return done ?? BROKE_OFF;
  const isUnknown = result === undefined || unknownEnds.some((code) => code === result);
  return isUnknown ? [BROKE_OFF, done].filter(Boolean).join(' If it was: ') : undefined;
}

/**
 * What was made since a second, page by page: the operators' changes, then events. A cursor is `A#`, `U#` or `E#` and
 * the place of the last line: audit, events that are not published, events of clients.
 */
export function listSince(deps: Dependencies): UseCase<typeof listSinceContract> {
  const { clock, listChangesFrom, eventsSince } = deps;

  const ofAudit = async (from: string, lastId: string | undefined) => {
    const { changes, last } = await listChangesFrom(from, lastId);
    const items = changes.flatMap(({ at, who, command, about, made, result, arguments: given }): Line[] => {
      const next = nextOf(command, result);
      if (next === undefined) return [];
      return [{ at, what: command, about: made ?? about, who, next, arguments: given }];
    });
    return { items, nextCursor: last === undefined ? 'U#' : `A#${last.at}#${last.auditId}` };
  };

  const ofUnpublished = async (from: string, client: string | undefined) => {
    const { events, unreadable, nextAt } = await eventsSince.unpublished(from);
    const items = await linesOf(
      deps,
      events.filter(({ clientId }) => client === undefined || clientId === client),
    );
    return { items, ...unreadableIn(unreadable), nextCursor: nextAt === undefined ? 'E#' : `U#${nextAt}` };
  };

  const ofClients = async (from: Date, client: string | undefined, [clientId, ...rest]: readonly string[]) => {
    const place = rest.join('#');
    if (clientId && place === '') throw invalidCursor();
    const after = clientId ? { clientId, place } : undefined;
    const { events, last } = await eventsSince.published(from, client, after);
    return { items: await linesOf(deps, events), ...(last && { nextCursor: `E#${last.clientId}#${last.place}` }) };
  };

  return async ({ query }) => {
    const { since, client, cursor = client === undefined ? 'A#' : 'U#' } = query();
    const from = new Date(Date.parse(since) - UNDER_WAY);
    if (from.getTime() < clock.now().getTime() - RESTORABLE)
      throw invalid({
        ...{ path: 'query.since', code: 'INVALID_VALUE' },
        message: 'must be of the last 35 days: no table is restored to an earlier second',
      });
    const [kind, ...rest] = cursor.split('#');
    if (kind === 'E') return { body: await ofClients(from, client, rest) };
    const at = rest[0] || from.toISOString();
    // Before that, each day since the beginning of time would be a query.
    if (!instant.safeParse(at).success || at < from.toISOString()) throw invalidCursor();
    return { body: kind === 'A' ? await ofAudit(at, rest[1]) : await ofUnpublished(at, client) };
  };
}

const event = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.object({
    operationId: z.optional(z.string()),
    payinId: z.optional(z.string()),
    txHash: z.optional(z.string()),
    status: z.optional(z.string()),
    previousStatus: z.optional(z.nullable(z.string())),
  }),
});

const ENDED_BY: Readonly<Record<string, string>> = {
  COMPLETED: 'The payout service sends its event again.',
  FAILED: 'The payout service sends its event again.',
  CANCELLED: 'Whoever cancelled it, its client or the payout service, does so again.',
};

type Told = Pick<z.infer<typeof event>, 'type'> & z.infer<typeof event>['data'] & Pick<EventSince, 'clientId'>;

const record = z.object({ status: z.string() });

const awaiting = z.object({ status: z.literal('AWAITING_DEPOSIT') });

const claim = z.object({ operationId: z.string() });

/** Lines of the events that a restore can undo for good; the service finds the others again by itself. */
async function linesOf(deps: Dependencies, events: readonly EventSince[]): Promise<Line[]> {
  const { dynamo, tables, keyOf, clock } = deps;
  /** By id, what the table has now. */
  const find = async (table: string, given: readonly string[], key: (id: string) => Item) => {
    const ids = [...new Set(given)];
    const items = await batchGet(dynamo, clock, table, ids.map(key));
    return new Map(ids.map((id, position) => [id, items[position]]));
  };
  const read = events.flatMap(({ id, clientId, body }) => {
    if (body === '') return [];
    const told = readable(id, () => event.parse(JSON.parse(body)));
    return told === undefined ? [] : [{ clientId, at: told.timestamp, type: told.type, ...told.data }];
  });
  const operations = await find(
    tables.operations,
    read.flatMap(({ operationId }) => operationId ?? []),
    keyOf.operation,
  );
  const whole = await findWhole(deps, operations);
  const payins = await find(
    tables.payins,
    read.flatMap(({ payinId }) => payinId ?? []),
    keyOf.payin,
  );
  return read.flatMap((told): Line[] => {
    const { clientId, at, type, operationId, payinId, status = '', previousStatus } = told;
    const line = { at, clientId };
    const byItself = lineByItself(told);
    if (byItself !== undefined) return [{ ...line, ...byItself }];
    if (type === 'ramp.payin.status_changed' && payinId !== undefined && previousStatus === null) {
      const next = 'The books show its payment as one that we do not have: finance decides at the rail.';
      return [{ ...line, what: 'pay-in created', about: payinId, isThere: payins.get(payinId) !== undefined, next }];
    }
    if (type !== 'ramp.operation.status_changed' || operationId === undefined) return [];
    if (previousStatus === null) {
      const isThere = whole.has(operationId);
      return [{ ...line, what: 'off-ramp created', about: operationId, isThere, next: `put-back ${operationId}` }];
    }
    const found = record.safeParse(operations.get(operationId)).data?.status;
    const how = howEnded({ operationId, status, previousStatus }, found);
    return how === undefined ? [] : [{ ...line, what: `off-ramp ${status}`, about: operationId, ...how }];
  });
}

/** The line of an event of which only a person can tell whether the tables have it. */
function lineByItself({ type, clientId, txHash, status, previousStatus }: Told) {
  if (type === 'compliance.client.status_changed') {
    const next = `${status === 'approved' ? 'approve' : 'suspend'}-client again, if it is the last one of this client.`;
    return { what: `client ${status}`, about: clientId, next };
  }
  // A client's request is in no audit, and nothing repeats it. A return that was undone is requested once more.
  if (type === 'ramp.deposit.status_changed' && status === 'RETURN_REQUESTED' && previousStatus !== 'RETURNED') {
    const next = `Where \`deposit\` of this hash shows no return any more: request-return. ${NOT_SENT_TWICE}`;
    return { what: 'return requested', about: txHash, next };
  }
  return undefined;
}

/** Ids of off-ramps that are there. One that awaits a deposit to an address that is not its own is half of its creation. */
async function findWhole(
  { dynamo, tables, keyOf, clock }: Dependencies,
  operations: ReadonlyMap<string, Item | undefined>,
): Promise<ReadonlySet<string>> {
  const keys = new Map<string, Item>();
  for (const [id, item] of operations) {
    const key = awaiting.safeParse(item).success && readable(id, () => item && keyOf.address(item));
    if (key) keys.set(id, key);
  }
  const claims = await batchGet(dynamo, clock, tables.hashes, [...keys.values()]);
  const owners = new Map([...keys.keys()].map((id, at) => [id, claim.safeParse(claims[at]).data?.operationId]));
  const isWhole = (id: string) => operations.get(id) !== undefined && (!owners.has(id) || owners.get(id) === id);
  return new Set([...operations.keys()].filter(isWhole));
}

/** Whether it has ended so in the table, too, and what puts that right: what ended without a deposit is put back as it ended. */
function howEnded(
  ended: { readonly operationId: string; readonly status: string; readonly previousStatus: string | undefined },
  found: string | undefined,
) {
  const next = ENDED_BY[ended.status];
  if (next === undefined) return undefined;
  const isPutBack = found === undefined && ended.previousStatus === 'AWAITING_DEPOSIT';
  return { isThere: found === ended.status, next: isPutBack ? `put-back ${ended.operationId}` : next };
}
