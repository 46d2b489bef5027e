import { EVENT_ID, OPERATION_ID, USER_ID } from '#infra/platform/example-ids.ts';
import type { Route } from '#infra/platform/route.ts';
import { getEventContract, listEventsContract } from '#shared/events/event-contract.ts';

const event = {
  id: EVENT_ID,
  type: 'ramp.operation.status_changed',
  timestamp: '2026-11-21T14:03:11.482Z',
  data: {
    operationId: OPERATION_ID,
    userId: USER_ID,
    status: 'COMPLETED',
    previousStatus: 'PENDING',
    sequence: 5,
  },
};

/** Seconds after which nothing is added to the feed: more than publication, index and clock differences together. */
const COMPLETE_AFTER = { local: 5, staging: 180, prod: 180 } as const;

/** A page may have a megabyte, and a client reads many of them after a long outage. */
export const FEED_LIMITS = { all: { rate: 100, burst: 200 }, perClient: { rate: 5, burst: 10 } };

/** The feed of events, for clients that poll. */
export const eventRoutes: readonly Route[] = [
  {
    contract: listEventsContract,
    throttling: FEED_LIMITS,
    tables: { events: ['Query:byClient'] },
    environment: ({ name }) => ({ FEED_COMPLETE_AFTER_SECONDS: String(COMPLETE_AFTER[name]) }),
    impact: 'Clients cannot read the feed of their events; webhooks get them all the same.',
    example: {
      answer: {
        events: [event],
        nextCursor: 'MTc5NTI2OTc5MTQ4Mg.Zk3vXw0n8yq5m1hJc2uB7A',
        hasMore: false,
        upTo: '2026-11-21T14:07:00.000Z',
      },
      remark:
        'Every event of 90 days, each once, to be sure that none was missed: webhooks are quicker. The feed ends at `upTo`, three minutes ago (five seconds in the local run), and who has read up to there has missed nothing. Events of one resource may be in another order than they happened: order them by their `sequence`. Without `after` the oldest events come first. With `type`, one call looks at no more than 300 events: a page may be short, or empty, while `hasMore` is true.',
    },
  },
  {
    contract: getEventContract,
    tables: { events: ['GetItem'] },
    impact: 'Clients cannot read single events; webhooks get them all the same.',
    example: {
      answer: event,
      remark: 'An event can be read as soon as it has happened, and for 90 days.',
    },
  },
];
