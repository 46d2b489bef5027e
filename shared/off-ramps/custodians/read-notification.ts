import type { Custodian, ReadNotification } from './custodian.ts';
import { inNormalForm } from './normal-form.ts';

/** How the service reads the notifications of any custodian. */
export function createReadNotification({
  name,
  readNotification,
}: Pick<Custodian, 'name' | 'readNotification'>): ReadNotification {
  return async (notification) => {
    const transfer = await readNotification(notification);
    return transfer && inNormalForm(name, transfer);
  };
}
