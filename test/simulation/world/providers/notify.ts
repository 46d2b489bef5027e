import type { SendRequest } from '#test/simulation/aws/gateway.ts';
import type { Host } from '#test/simulation/aws/host.ts';

/** Faults of a provider's notifications. Probabilities, for each notification. */
export interface NotificationFaults {
  /** It is never sent. */
  readonly lost: number;
  /** It is sent a second time, at any later time. */
  readonly repeated: number;
  /** It arrives after others that were sent later. */
  readonly late: number;
  /** Somebody without the key sends a copy of it. */
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

/** Milliseconds between two attempts of a provider whose notification was not accepted. */
const PAUSES = [5, 15, 60, 300, 900, 3600].map((seconds) => seconds * 1000);

/**
 * Sends a notification and retries for a while until the answer is 200. `takenAt` receives the times at which the
 * service processed it.
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
        // The service also answers 200 to one that it cannot read; that one is not retried either.
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
