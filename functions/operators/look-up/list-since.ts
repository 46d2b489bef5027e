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
import { unreadableIdsField } from '#shared/platform/operators/list-answer.ts';
import type { ListChangesFrom } from '#shared/platform/operators/list-changes.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { NOT_SENT_TWICE, ONLY_PROPOSED, OUTCOME_UNKNOWN, repairByCommand } from './repair-by-command.ts';

type Line = z.infer<typeof sinceLine>;

/** The body is empty for an event of another service. */
interface EventSince {
  readonly id: string;
  readonly clientId: string;
  readonly body: string;
}

interface Place {
  readonly clientId: string;
  readonly place: string;
}

/** Reads events that the bus has not accepted, and published events of one or all clients. */
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
  /** Functions that make the key of a record from its id. */
  readonly keyOf: Readonly<Record<'operation' | 'payin', (id: string) => Item>> & {
    /** The key of the claim of an off-ramp's address, from the stored off-ramp. */
    readonly address: (operation: Item) => Item;
  };
  readonly listChangesFrom: ListChangesFrom;
  readonly eventsSince: EventsSince;
  readonly clock: Clock;
}

/** Milliseconds for which tables can be restored to any second, and one more day to look again. */
const RESTORABLE = 36 * 24 * 3600_000;

/** Milliseconds: a change that began before the second may have been written after it. */
const UNDER_WAY = 60_000;

/** Errors after which a change may have been made: the write's answer was lost, or a later step failed. */
const unknownEnds = [apiErrors.INTERNAL_ERROR.code, apiErrors.SERVICE_UNAVAILABLE.code];

/** What repairs a lost change, by the change's result in the audit; `undefined` for a refused change. */
function nextOf(command: string, result: string | undefined): string | undefined {
  if (result === 'PROPOSED') return ONLY_PROPOSED;
  const done = repairByCommand[command];
  if (result === 'DONE') return done ?? OUTCOME_UNKNOWN;
  const isUnknown = result === undefined || unknownEnds.some((code) => code === result);
  return isUnknown ? [OUTCOME_UNKNOWN, done].filter(Boolean).join(' If it was: ') : undefined;
}

/**
 * Lists what was done since a second, page by page: the operators' changes, then events. A cursor is `A#` (audit), `U#`
 * (unpublished events) or `E#` (events of clients), and the position of the last line.
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
    return { items, ...unreadableIdsField(unreadable), nextCursor: nextAt === undefined ? 'E#' : `U#${nextAt}` };
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
    // An earlier time would cause a query for every day since then.
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

/** Returns lines for the events that a restore can undo permanently; the service itself recovers the others. */
async function linesOf(deps: Dependencies, events: readonly EventSince[]): Promise<Line[]> {
  const { dynamo, tables, keyOf, clock } = deps;
  /** Reads the table's current items, by id. */
  const find = async (table: string, given: readonly string[], key: (id: string) => Item) => {
    const ids = [...new Set(given)];
    const items = await batchGet(dynamo, clock, table, ids.map(key));
    return new Map(ids.map((id, position) => [id, items[position]]));
  };
  const read = events.flatMap(({ id, clientId, body }) => {
    if (body === '') return [];
    const told = parseReadable(id, () => event.parse(JSON.parse(body)));
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

/** The line of an event for which only a person can tell whether the tables have its change. */
function lineByItself({ type, clientId, txHash, status, previousStatus }: Told) {
  if (type === 'compliance.client.status_changed') {
    const next = `${status === 'approved' ? 'approve' : 'suspend'}-client again, if it is the last one of this client.`;
    return { what: `client ${status}`, about: clientId, next };
  }
  // A client's request is not in the audit, and nothing repeats it. After RETURNED it is no request but an undone
  // return.
  if (type === 'ramp.deposit.status_changed' && status === 'RETURN_REQUESTED' && previousStatus !== 'RETURNED') {
    const next = `Where \`deposit\` of this hash shows no return any more: request-return. ${NOT_SENT_TWICE}`;
    return { what: 'return requested', about: txHash, next };
  }
  return undefined;
}

/** Ids of off-ramps that exist. One that awaits a deposit, but does not own its address, is only half created. */
async function findWhole(
  { dynamo, tables, keyOf, clock }: Dependencies,
  operations: ReadonlyMap<string, Item | undefined>,
): Promise<ReadonlySet<string>> {
  const keys = new Map<string, Item>();
  for (const [id, item] of operations) {
    const key = awaiting.safeParse(item).success && parseReadable(id, () => item && keyOf.address(item));
    if (key) keys.set(id, key);
  }
  const claims = await batchGet(dynamo, clock, tables.hashes, [...keys.values()]);
  const owners = new Map([...keys.keys()].map((id, at) => [id, claim.safeParse(claims[at]).data?.operationId]));
  const isWhole = (id: string) => operations.get(id) !== undefined && (!owners.has(id) || owners.get(id) === id);
  return new Set([...operations.keys()].filter(isWhole));
}

/** Whether the table has this end, too, and what repairs it: an end without a deposit comes back with `put-back`. */
function howEnded(
  ended: { readonly operationId: string; readonly status: string; readonly previousStatus: string | undefined },
  found: string | undefined,
) {
  const next = ENDED_BY[ended.status];
  if (next === undefined) return undefined;
  const isPutBack = found === undefined && ended.previousStatus === 'AWAITING_DEPOSIT';
  return { isThere: found === ended.status, next: isPutBack ? `put-back ${ended.operationId}` : next };
}
