import type { Aftermath } from './aftermath.ts';
import { checkAnswerEnds } from './answer-ends.ts';
import { checkCosts } from './costs.ts';
import { checkDeliveryEnds } from './delivery-ends.ts';
import { checkDisclosure } from './disclosure.ts';
import { checkEventEnds } from './event-ends.ts';
import { checkOtherServiceEnds } from './other-service-ends.ts';
import { checkPayinEnds } from './pay-in-ends.ts';
import { checkSearchEnds } from './search-ends.ts';
import { checkTransferEnds } from './transfer-ends.ts';

/**
 * What holds when everybody has done what they wanted and the service had the time to do the rest.
 *
 * @throws {Violation}
 */
export function checkFinally(aftermath: Aftermath): void {
  checkTransferEnds(aftermath);
  checkSearchEnds(aftermath);
  checkPayinEnds(aftermath);
  checkEventEnds(aftermath);
  checkDeliveryEnds(aftermath);
  checkOtherServiceEnds(aftermath);
  checkAnswerEnds(aftermath);
  checkDisclosure(aftermath);
  checkCosts(aftermath);
}
