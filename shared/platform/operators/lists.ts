import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant, instantInput } from '#shared/platform/http/fields.ts';
import { timeZone } from '#shared/platform/time-zone.ts';

/** An entry that waits for a person: since when, for how long, for whom and why. */
export function waitingFields<Who extends z.ZodMiniType>({ shape: step }: { readonly shape: { readonly who: Who } }) {
  return {
    since: instant,
    age: z.string(),
    who: step.who,
    what: z.string(),
    /** The trade name of its client. */
    client: z.optional(z.string()),
  };
}

/** A list, oldest first. If it goes on, the next page begins with the entries of `nextSince`. */
export function listLookup<Row extends z.ZodMiniType>(name: string, summary: string, row: Row) {
  return lookup({
    name,
    summary,
    query: z.strictObject({ since: z.optional(instantInput) }),
    answer: z.object({
      items: z.array(row),
      /** Ids of unreadable items. */
      unreadableIds: z.optional(z.array(z.string())),
      nextSince: z.optional(instant),
    }),
    errors: [apiErrors.SERVICE_UNAVAILABLE],
  });
}

/** A day of a time zone, from midnight to midnight by its clocks. */
export const day = z.iso.date().check(z.regex(/^(19[7-9]|2\d\d)\d/, 'must be a day from 1970 to 2999'));

/** A report: lines of whole days, page by page. Each page names its days, so that the next page has the same. */
export function reportLookup<Line extends z.ZodMiniObject>(name: string, summary: string, line: Line) {
  return lookup({
    name,
    summary: `${summary} For whole days, both included, in a time zone (--zone America/Bogota), by default yesterday; the last seconds may be missing.`,
    query: z.strictObject({
      from: z.optional(day),
      to: z.optional(day),
      /** The time zone of the days; by default the stage's. */
      zone: z.optional(timeZone),
      /** Lines of this client alone. */
      client: z.optional(id),
      cursor: z.optional(instant),
    }),
    answer: z.object({
      from: day,
      to: day,
      zone: z.string(),
      /** Each line with its day. */
      items: z.array(z.extend(line, { day })),
      /** Ids of unreadable items. */
      unreadableIds: z.optional(z.array(z.string())),
      nextCursor: z.optional(instant),
    }),
    errors: [apiErrors.SERVICE_UNAVAILABLE],
  });
}
