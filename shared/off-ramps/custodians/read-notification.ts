import * as z from 'zod/mini';
import type { ReadNotification } from './custodian.ts';
import { type ReadNotified, readNotified } from './normal-form.ts';

interface Notifier {
  readonly name: string;
  readonly readNotification: ReadNotification;
}

/** Verifies and reads a custodian's notification: what it names, with unreadable entries marked as such. */
export async function readNotifications(
  { name, readNotification }: Notifier,
  notification: Parameters<ReadNotification>[0],
): Promise<readonly ReadNotified[]> {
  const given = z.parse(z.array(z.unknown()), await readNotification(notification));
  return given.map((one) => readNotified(name, one));
}
