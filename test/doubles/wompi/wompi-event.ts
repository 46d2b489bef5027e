import { createHash } from 'node:crypto';
import type { Clock } from '#shared/platform/clock.ts';

/** A notification, as sent over HTTP. */
export interface WompiEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface EventOptions {
  /** Paths inside `data`, in the order in which they are signed; the vendor may change them. */
  readonly properties?: readonly string[];
  /** Whether the checksum is in upper case, as Wompi's page prints it. */
  readonly isUpperCase?: boolean;
  /** Seconds since 1970; now if absent. */
  readonly timestamp?: number;
}

type Data = Readonly<Record<string, unknown>>;

/** The properties on Wompi's page "Eventos". */
const usualProperties = ['transaction.id', 'transaction.status', 'transaction.amount_in_cents'];

/** Milliseconds after the first try: Wompi, "Eventos"; any status but 200 makes it try again. */
const retryAfter = [30 * 60_000, 3 * 3_600_000, 24 * 3_600_000];

/** SHA-256 of the values at `properties`, the timestamp and the secret, one after the other (Wompi, "Eventos"). */
export function eventChecksum(data: Data, properties: readonly string[], timestamp: number, secret: string): string {
  const values = properties.map((path) => {
    let value: unknown = data;
    for (const name of path.split('.')) value = Object(value)[name];
    return String(value ?? '');
  });
  return createHash('sha256')
    .update(`${values.join('')}${timestamp}${secret}`)
    .digest('hex');
}

/** `transaction.updated` about a transaction as it is now. */
export function transactionUpdated(
  transaction: Data,
  { environment, secret, now }: { readonly environment: string; readonly secret: string; readonly now: Date },
  { properties = usualProperties, isUpperCase = false, timestamp = Math.floor(now.getTime() / 1000) }: EventOptions,
): WompiEvent {
  const data = { transaction };
  const hex = eventChecksum(data, properties, timestamp, secret);
  const checksum = isUpperCase ? hex.toUpperCase() : hex;
  const event = { event: 'transaction.updated', data, environment, signature: { properties, checksum } };
  return {
    headers: { 'content-type': 'application/json', 'x-event-checksum': checksum },
    body: JSON.stringify({ ...event, timestamp, sent_at: now.toISOString() }),
  };
}

/** Sends an event. With `hasRetries`, an event that was not accepted is sent again, at Wompi's intervals. */
export function createSendEvent(
  clock: Pick<Clock, 'after'>,
  notify: (event: WompiEvent) => Promise<boolean>,
  hasRetries: boolean,
): (event: WompiEvent) => void {
  const send = async (event: WompiEvent, tries: number): Promise<void> => {
    const isAccepted = await notify(event).catch(() => false);
    const [last, next] = [tries === 0 ? 0 : retryAfter[tries - 1], retryAfter[tries]];
    if (isAccepted || !hasRetries || last === undefined || next === undefined) return;
    clock.after(next - last, () => void send(event, tries + 1));
  };
  return (event) => void send(event, 0);
}
