import type { SendRequest } from '#test/simulation/aws/gateway.ts';
import type { Host } from '#test/simulation/aws/host.ts';

/** How a provider's notifications come. Probabilities, of each of them. */
export interface NotificationFaults {
  /** It is never sent. */
  readonly lost: number;
  /** It is sent a second time, at any later time. */
  readonly repeated: number;
  /** It comes later than others that were sent after it. */
  readonly late: number;
  /** Somebody else sends one like it, without the key. */
  readonly forged: number;
}

export interface Notification {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly forgedHeaders: Readonly<Record<string, string>>;
}

/** Milliseconds. */
const LATEST = 20 * 60_000;

/** Milliseconds between two tries of a provider whose notification was not taken. */
const PAUSES = [5, 15, 60, 300, 900, 3600].map((seconds) => seconds * 1000);

/**
 * Sends a notification as a provider does: until it is answered 200, for a while. `takenAt` gets the times at which it
 * was taken in.
 */
export async function notify(
  { schedule, random }: Host,
  request: SendRequest,
  faults: NotificationFaults,
  notification: Notification,
  takenAt: number[],
): Promise<void> {
  const { path, body, headers, forgedHeaders } = notification;
  if (random.chance(faults.forged)) await request({ method: 'POST', path, body, headers: forgedHeaders });
  if (random.chance(faults.lost)) return;
  if (random.chance(faults.late)) await schedule.clock.sleep(random.below(LATEST));
  const send = async () => {
    for (const pause of PAUSES) {
      const answer = await request({ method: 'POST', path, body, headers });
      if (answer?.status === 200) {
        // One that the service could not make sense of is answered so, too, and does not come again.
        if (answer.body.includes('"received":true')) takenAt.push(schedule.clock.now().getTime());
        return;
      }
      await schedule.clock.sleep(pause);
    }
  };
  await send();
  if (!random.chance(faults.repeated)) return;
  await schedule.clock.sleep(random.below(LATEST));
  await send();
}
