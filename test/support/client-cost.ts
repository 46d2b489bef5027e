import { MOST_EVENTS, TURN_SECONDS } from '#functions/webhooks/replay-client-events/replay-client-events.ts';
import { REPLAYS_A_DAY } from '#functions/webhooks/replay-events/replay-events.ts';
import { FEED_LIMITS } from '#infra/events/routes.ts';
import { LIST_LIMITS } from '#infra/platform/route.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { networkSpecs } from '#shared/networks/network.ts';
import { nextPollTime } from '#shared/off-ramps/model/poll-schedule.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { nextPollAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import { MOST_ACTIVE_WEBHOOKS } from '#shared/webhooks/model/webhook.ts';
import { gigabyte, prices } from '#test/simulation/cost/prices.ts';

const stage = stageNamed('prod');
const DAY = 24 * 3600;

/** Dollars for a million. */
const price = {
  apiRequest: prices.apiRequest,
  call: prices.call,
  gigabyteSeconds: prices.gigabyteSecond,
  writeUnit: prices.writeUnit,
  readUnit: prices.readUnit,
  transition: prices.transition,
  sign: prices.sign,
  kms: prices.keyUse,
  queueRequest: prices.queueRequest,
  event: prices.event,
  /** Two lines of half a kilobyte: a million of them are a gigabyte. */
  lines: gigabyte.logged,
  webAcl: prices.webAclRequest,
};

type Units = Partial<Record<keyof typeof price, number>>;

const dollars = (units: Units, times: number): number => {
  const names = Object.keys(price).filter((name): name is keyof typeof price => name in price);
  return (names.reduce((sum, name) => sum + price[name] * (units[name] ?? 0), 0) * times) / 1_000_000;
};

/** Polls of a hash that is never verified, on the network with the most polls. */
function pollsOfHash(): number {
  const counts = Object.values(networkSpecs).map(({ finalitySeconds }) => {
    let polls = 0;
    for (let at: number | undefined = 0; at !== undefined; polls += 1) {
      at = nextPollTime(at, { startsAt: 0, endsAt: stage.windowSeconds }, finalitySeconds, 'FOUND');
    }
    return polls;
  });
  return Math.max(...counts);
}

/** Polls of a pay-in that nobody pays and that its rail keeps open for ever. */
function pollsOfPayin(): number {
  const createdAt = new Date(0).toISOString();
  const payin: Payin = {
    ...{ payinId: '', clientId: '', userId: '', amount: '1', currency: 'COP', paymentMethod: 'PSE', rail: '' },
    ...{ status: 'PENDING', sequence: 1, createdAt, statusHistory: [{ status: 'PENDING', at: createdAt }] },
  };
  let polls = 0;
  for (let at: string | undefined = new Date(120_000).toISOString(); at !== undefined; polls += 1) {
    at = nextPollAt(payin, new Date(at));
  }
  return polls;
}

const { offRamps, payIns, reports } = stage.mostPerDay;
const replays = REPLAYS_A_DAY.ofClient;
const requests = stage.perClient?.requestsPerDay ?? 0;
const slots = stage.deliverySlots.first.perClient + stage.deliverySlots.retries.perClient;

/** A short call of a route: with the authorizer, and half a gigabyte for 20 milliseconds. */
const request: Units = { apiRequest: 1, call: 2, gigabyteSeconds: 0.015, readUnit: 2, lines: 1, webAcl: 1 };
/** Put, claimed and ended with its attempt, with its indexes; takes and returns two slots; passes two queues. */
const delivery: Units = { writeUnit: 10, queueRequest: 4, call: 1, gigabyteSeconds: 0.05, lines: 1 };

interface Row {
  readonly what: string;
  readonly most: number;
  readonly bound: string;
  readonly dollars: number;
}

const thousands = (number: number): string => number.toLocaleString('en-US');

const row = (what: string, most: number, bound: string, units: Units): Row => ({
  what,
  most: Math.round(most),
  bound,
  dollars: dollars(units, most),
});

const polls = pollsOfHash();
const perHash: Units = { transition: 3.5, call: 1, gigabyteSeconds: 0.08, writeUnit: 3, readUnit: 4, lines: 1 };
/** Events: an off-ramp has its creation, its end and its hash; a report and a pay-in have a beginning and an end. */
const events = 3 * offRamps + 2 * reports + 2 * payIns;

/** The costs that one client can cause in a day. */
export function costsOfClient() {
  const always: readonly Row[] = [
    row('Hashes that are never verified, each polled for a day', reports * polls, 'reports a day', perHash),
    row('Off-ramps created and cancelled', offRamps, 'off-ramps a day', { writeUnit: 122, gigabyteSeconds: 0.1 }),
    row('Pay-ins that nobody pays, all their polls', payIns * pollsOfPayin(), 'pay-ins a day', {
      ...{ writeUnit: 3, readUnit: 2, call: 1, gigabyteSeconds: 0.05 },
    }),
    row('Events of all that', events, 'the rows above', { event: 1, writeUnit: 12, call: 2, gigabyteSeconds: 0.02 }),
    row(
      'Their deliveries',
      events * MOST_ACTIVE_WEBHOOKS,
      `${MOST_ACTIVE_WEBHOOKS} active webhooks of a process`,
      delivery,
    ),
    row('Endpoints that hang, seconds of calls', slots * DAY, `${slots} slots`, { gigabyteSeconds: 0.25 }),
    row('Replayed deliveries', 1000 * 60 * 24, 'the sweep, about a thousand a minute', delivery),
    // For each event: the event is read, and its delivery is created or requested again, with its indexes.
    row(
      'Events that replays look at',
      replays * MOST_EVENTS,
      `${replays} replays a day, ${thousands(MOST_EVENTS)} each`,
      {
        ...{ readUnit: 1.2, writeUnit: 3, gigabyteSeconds: 0.01 },
      },
    ),
    row(
      'Replays that wait, each for a day',
      (2 * replays * DAY) / TURN_SECONDS,
      `those of two days, tried every ${TURN_SECONDS} seconds`,
      { queueRequest: 3, call: 1, gigabyteSeconds: 0.01, writeUnit: 1, lines: 1 },
    ),
    row('Tokens', 2 * DAY, '2 a second', { ...request, sign: 1, writeUnit: 2 }),
    row('Token requests with a wrong secret', 600 * 60 * 24, 'the web ACL, for each address', request),
  ];
  /** Requests that share one limit of the usage plan: only the most expensive kind is counted. */
  const ofPlan: readonly Row[] = [
    row(
      'Lists, of 300 records each',
      Math.min(requests, 8 * LIST_LIMITS.perClient.rate * DAY),
      'requests a day, 5 a second',
      {
        ...request,
        ...{ readUnit: 300, gigabyteSeconds: 0.1 },
      },
    ),
    // A page examines 300 events of one kilobyte.
    row('Pages of the feed', Math.min(requests, FEED_LIMITS.perClient.rate * DAY), '5 a second', {
      ...request,
      ...{ readUnit: 40, gigabyteSeconds: 0.1 },
    }),
    row('Cancels that ask the custodian', Math.min(requests, stage.costlyCalls.rate * DAY), '5 a second', {
      ...request,
      gigabyteSeconds: 0.2,
    }),
    row('Resends', requests, 'requests a day, 50 for each delivery', { ...request, ...delivery, kms: 1 }),
    row('New secrets of webhooks', 0.5 * DAY, 'one in 2 seconds', { ...request, kms: 1, writeUnit: 2 }),
    row('Tests of webhooks that hang', 0.5 * DAY, 'one in 2 seconds', { ...request, gigabyteSeconds: 7.5, kms: 1 }),
    row('Webhooks registered or changed', 4 * DAY, '2 a second each', { ...request, kms: 1, writeUnit: 6 }),
    row('Reads', requests, 'requests a day', request),
  ];
  const sum = (rows: readonly Row[]) => rows.reduce((total, one) => total + one.dollars, 0);
  return { always, ofPlan, atOnce: sum(always) + Math.max(...ofPlan.map((one) => one.dollars)) };
}

/** The line of the table in the documentation. */
export const lineOf = ({ what, most, bound, dollars }: Row): string =>
  `| ${what} | ${thousands(most)} | ${bound} | ${dollars.toFixed(1)} |`;
