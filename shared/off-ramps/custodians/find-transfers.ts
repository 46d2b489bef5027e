import type { Clock } from '#shared/platform/clock.ts';
import type { Custodian, FindTransfers } from './custodian.ts';
import { transfersInNormalForm } from './normal-form.ts';
import { patiently } from './patiently.ts';

/** How the service asks any custodian: again while it does not answer, and what it answers in our own form. */
export function createFindTransfers({ findTransfers }: Pick<Custodian, 'findTransfers'>, clock: Clock): FindTransfers {
  return patiently(transfersInNormalForm(findTransfers), clock);
}
