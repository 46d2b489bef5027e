import type { Custodian } from './custodian.ts';
import { type ReadNotified, readNotified } from './normal-form.ts';

/** How the service reads the notifications of any custodian. */
export function createReadNotification({ name, readNotification }: Pick<Custodian, 'name' | 'readNotification'>) {
  return async (notification: Parameters<typeof readNotification>[0]): Promise<ReadNotified | undefined> => {
    const given = await readNotification(notification);
    return given === undefined ? undefined : readNotified(name, given);
  };
}

export type ReadNotification = ReturnType<typeof createReadNotification>;
