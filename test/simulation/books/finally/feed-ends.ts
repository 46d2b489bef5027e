import { textIn } from '../bodies.ts';
import type { TrueFeed } from '../truth.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Milliseconds from the quiet end to the time up to which the feed must have been read then. */
const READ = 45 * 60_000;

/** A reader of the feed, however rarely it reads, has every event of its client once, in the order of places. */
export function checkFeedEnds(aftermath: Aftermath): void {
  for (const feed of aftermath.truth.feeds) checkFeed(feed, aftermath);
}

function checkFeed({ clientId, events, completeTo }: TrueFeed, { ledger, truth }: Aftermath): void {
  const ids = events.map(({ id }) => id);
  const read = new Set(ids);
  must('a client gets to the end of its feed', completeTo >= truth.quietSince + READ, { clientId, completeTo });
  must('the feed has each event once', read.size === ids.length, { clientId, events: ids.length, ids: read.size });
  let last = '';
  for (const given of events) {
    const { id } = given;
    const [event, place = ''] = [ledger.events.get(id), ledger.places.get(id)];
    const isItsOwn =
      event?.clientId === clientId && JSON.stringify({ id, ...JSON.parse(event.text) }) === JSON.stringify(given);
    must('the feed has the events of its client, with the bodies that webhooks get', isItsOwn, { clientId, id });
    must('the feed has the order of places, and ends at upTo', last < place && timeOf(place) < completeTo, {
      id,
      place,
    });
    last = place;
  }
  for (const [id, { clientId: of }] of ledger.events) {
    const place = ledger.places.get(id);
    const isDue = of === clientId && place !== undefined && timeOf(place) < completeTo;
    must('who has read up to upTo has missed nothing', !isDue || read.has(id), { clientId, id, place, completeTo });
  }
  checkReceipts({ clientId, completeTo }, read, truth);
}

/** Every event that the client's webhooks received is in its feed, except tests, which are no events. */
function checkReceipts(
  { clientId, completeTo }: Pick<TrueFeed, 'clientId' | 'completeTo'>,
  read: ReadonlySet<string>,
  { endpoints, receipts, quietSince }: Aftermath['truth'],
): void {
  const urls = new Set(endpoints.filter((one) => one.clientId === clientId).map(({ url }) => url));
  for (const { url, eventId, body, at } of receipts) {
    if (!urls.has(url) || at >= Math.min(quietSince, completeTo) || textIn(body, 'type') === 'webhook.test') continue;
    must('what a webhook has received is in the feed, too', read.has(eventId), { clientId, eventId });
  }
}

function timeOf(place: string): number {
  return Number(place.slice(0, place.indexOf('#')));
}
