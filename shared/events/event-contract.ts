import * as z from 'zod/mini';
import { apiErrors, declareErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { instant, noBody, noParameters, noPathParameters, pageLimit } from '#shared/platform/http/fields.ts';

/** Errors of reads of events. */
export const eventErrors = declareErrors({
  EVENT_NOT_FOUND: [404, 'The client has no event with this id. Events are kept for 90 days.'],
  CURSOR_EXPIRED: [
    422,
    'The cursor is older than the events that are kept, which are those of 90 days: events may have been missed. Go on with oldestCursor as after, and read the resources that matter.',
  ],
});

/** The body that webhooks get, with its id (decisions.md 14, Event feed). */
const feedEvent = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: instant,
  data: z.record(z.string(), z.unknown()),
});

documentObject('Event', feedEvent, 'An event, with the members that webhooks get.', {
  id: {
    description: 'Id of the event: the `webhook-id` of every delivery of it.',
    pattern: '^[A-Za-z0-9_-]{1,128}$',
  },
  type: {
    description: 'Type of the event, for example `ramp.operation.status_changed`.',
    pattern: '^(ramp|compliance|wallet_transfer)(\\.[A-Za-z0-9_-]+)+$',
  },
  timestamp: 'When it happened.',
  data: 'What happened: the `data` of the webhook of this type.',
});

export type FeedEvent = z.infer<typeof feedEvent>;

/** Makes an event of the feed from its id and its body, which is the text that webhooks get. */
export function describeEvent(id: string, body: string): FeedEvent {
  return feedEvent.parse({ ...JSON.parse(body), id });
}

const EVENTS_PATH = '/api/v1/events';

export const listEventsContract = contract({
  name: 'list-events',
  method: 'GET',
  path: EVENTS_PATH,
  summary: "Read the client's events, in the order in which they were published",
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: z.strictObject({
    after: z.optional(z.string().check(z.maxLength(512))),
    limit: pageLimit,
    type: z.optional(
      z
        .string()
        .check(
          z.maxLength(128),
          z.regex(/^(ramp|compliance|wallet_transfer)(\.[A-Za-z0-9_-]+)+$/, 'must be the type of an event'),
        ),
    ),
  }),
  body: noBody,
  success: {
    status: 200,
    body: z.object({ events: z.array(feedEvent), nextCursor: z.string(), hasMore: z.boolean(), upTo: instant }),
  },
  errors: [
    apiErrors.UNAUTHORIZED,
    apiErrors.VALIDATION_FAILED,
    eventErrors.CURSOR_EXPIRED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

documentObject('EventPage', listEventsContract.success.body, "A page of the client's events.", {
  events: 'The events of this page, in the order in which they were published.',
  nextCursor: 'Opaque, and always there. Store it, and send it as `after` to go on from here, now or later.',
  hasMore: 'Whether events of before `upTo` follow this page.',
  upTo: 'Events of before this time are complete: none is added to them any more. The feed ends there.',
});

export const getEventContract = contract({
  name: 'get-event',
  method: 'GET',
  path: `${EVENTS_PATH}/{event_id}`,
  summary: 'Read an event by its id',
  access: 'client',
  pathParameters: z.object({ event_id: z.string() }),
  unknownPath: eventErrors.EVENT_NOT_FOUND,
  query: noParameters,
  body: noBody,
  success: { status: 200, body: feedEvent },
  errors: [apiErrors.UNAUTHORIZED, eventErrors.EVENT_NOT_FOUND, apiErrors.VALIDATION_FAILED],
});
