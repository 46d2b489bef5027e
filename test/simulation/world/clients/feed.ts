import type * as z from 'zod/mini';
import { listEventsContract } from '#shared/events/event-contract.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { HOUR, MINUTE, START } from '#test/simulation/world/script/moments.ts';
import type { ClientScript } from '#test/simulation/world/script/script.ts';
import { at } from './in-time.ts';
import type { Session } from './session.ts';

/** A client that reads the feed, with all events that it was given, in order. */
export interface KnownFeed {
  readonly clientId: string;
  readonly events: z.infer<typeof listEventsContract.success.body>['events'];
  /** The time up to which it has read all pages, in milliseconds since 1970. */
  completeTo: number;
}

/** Milliseconds from the quiet end to the last read. */
const LAST_READING = HOUR - 5 * MINUTE;

/** Milliseconds from the start to an absent client's last read, if the round lasts that long: just within 90 days. */
const LONGEST_AWAY = 90 * 24 * HOUR - MINUTE;

/** A client reads the feed from its cursor on, hourly or after an absence, and once more at the end. */
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

/** Reads all pages after the cursor. @returns the cursor of the next read */
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
