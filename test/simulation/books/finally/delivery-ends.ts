import { textIn } from '../bodies.ts';
import { instant, number, text } from '../items.ts';
import type { Receipt } from '../truth.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Milliseconds: an overdue attempt's message counts as lost after half an hour. */
const LATE_ATTEMPT = 45 * 60 * 1000;

/** Consecutive failures after which the circuit opens. */
const FAILURES_THAT_OPEN = 5;

/** Checks that deliveries agree with what the endpoints received. */
export function checkDeliveryEnds(aftermath: Aftermath): void {
  const { ledger, truth, now } = aftermath;
  const receipts = Map.groupBy(truth.receipts, ({ eventId }) => eventId);
  for (const [id, delivery] of ledger.deliveries) {
    const [status, eventId, webhookId] = [
      text(delivery, 'status'),
      text(delivery, 'eventId'),
      text(delivery, 'webhookId'),
    ];
    // With an open circuit attempts are made one at a time, however many deliveries wait.
    const isFailing = number(ledger.health.get(webhookId), 'failures') >= FAILURES_THAT_OPEN;
    const isLate = instant(delivery, 'nextAttemptAt') < now - LATE_ATTEMPT;
    const isWaiting = status === 'PENDING' && isLate && !isFailing;
    must('no delivery waits without an attempt', !isWaiting, { id, nextAttemptAt: text(delivery, 'nextAttemptAt') });
    const urls = ledger.urls.get(webhookId) ?? new Set();
    const received = (receipts.get(eventId) ?? []).filter(({ url }) => urls.has(url));
    const hasTaken = received.some((receipt) => Math.floor((receipt.status ?? 0) / 100) === 2);
    must('delivered is what an endpoint received and took', status !== 'DELIVERED' || hasTaken, {
      id,
      eventId,
      webhookId,
    });
  }
  checkReceipts(aftermath);
}

/** Every call that an endpoint received is an event of its client, byte for byte. */
function checkReceipts({ ledger, truth }: Aftermath): void {
  const endpoints = new Map(truth.endpoints.map((endpoint) => [endpoint.url, endpoint]));
  for (const receipt of truth.receipts) {
    const { url, eventId } = receipt;
    const endpoint = endpoints.get(url);
    must('an endpoint has a client', endpoint !== undefined, { url });
    const event = ledger.events.get(eventId);
    const isItsOwn =
      event === undefined
        ? isTest(receipt, endpoint?.clientId, ledger.owners)
        : event.clientId === endpoint?.clientId && event.text === receipt.body;
    must('an endpoint receives the events of its client, to the byte', isItsOwn, { url, eventId });
  }
}

/** True for a test of the webhook, which its client requested and which is not stored as an event. */
function isTest({ body }: Receipt, clientId: string | undefined, owners: ReadonlyMap<string, string>): boolean {
  return textIn(body, 'type') === 'webhook.test' && owners.get(textIn(body, 'data', 'webhookId') ?? '') === clientId;
}
