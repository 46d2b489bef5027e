import type * as z from 'zod/mini';
import { listEventsContract } from '#shared/events/event-contract.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { HOUR, MINUTE, START } from '#test/simulation/world/script/moments.ts';
import type { ClientScript } from '#test/simulation/world/script/script.ts';
import { at } from './in-time.ts';
import type { Session } from './session.ts';

/** What a client knows that reads the feed: everything that it was given, in that order. */
export interface KnownFeed {
  readonly clientId: string;
  readonly events: z.infer<typeof listEventsContract.success.body>['events'];
  /** Up to when it has read all pages, in milliseconds since 1970. */
  completeTo: number;
}

/** Milliseconds from the quiet end to the last reading. */
const LAST_READING = HOUR - 5 * MINUTE;

/** Milliseconds from the beginning to the last reading of who was away, where the round goes on for as long: just within 90 days. */
const LONGEST_AWAY = 90 * 24 * HOUR - MINUTE;

/** A client reads the feed from its cursor on, each hour or after having been away, and for a last time in the end. */
export async function readFeed(
  outside: Outside,
  session: Session,
  habit: NonNullable<ClientScript['feed']>,
  { quietFrom, endsAt }: { readonly quietFrom: number; readonly endsAt?: number | undefined },
): Promise<void> {
  const known: KnownFeed = { clientId: session.client.clientId, events: [], completeTo: 0 };
  outside.memory.feeds.push(known);
  const last = quietFrom + LAST_READING;
  const end = habit === 'AWAY' && endsAt === undefined ? Math.max(last, START + LONGEST_AWAY) : last;
  let cursor = await readOn(session, known, undefined);
  for (let next = START + HOUR; habit === 'HOURLY' && next < end; next += HOUR) {
    await at(outside, next);
    cursor = await readOn(session, known, cursor);
  }
  await at(outside, end);
  await readOn(session, known, cursor);
}

/** All pages from there on. @returns from where the next reading goes on */
async function readOn(session: Session, known: KnownFeed, from: string | undefined): Promise<string | undefined> {
  let cursor = from;
  for (;;) {
    const query = new URLSearchParams({ limit: '7', ...(cursor !== undefined && { after: cursor }) });
    const answer = await session.persist({ method: 'GET', path: `/api/v1/events?${query}` });
    if (answer?.status !== 200) return cursor;
    const page = listEventsContract.success.body.parse(JSON.parse(answer.body));
    known.events.push(...page.events);
    cursor = page.nextCursor;
    if (page.hasMore) continue;
    known.completeTo = Date.parse(page.upTo);
    return cursor;
  }
}
