import type { Aftermath } from './aftermath.ts';
import { checkAnswerEnds } from './answer-ends.ts';
import { checkApprovalEnds } from './approval-ends.ts';
import { checkBookEnds } from './book-ends.ts';
import { checkCommandEnds } from './command-ends.ts';
import { checkCosts } from './costs.ts';
import { checkCreditTimes } from './credit-times.ts';
import { checkDeliveryEnds } from './delivery-ends.ts';
import { checkDepositBook } from './deposit-book-ends.ts';
import { checkDisclosure } from './disclosure.ts';
import { checkErrorEnds } from './error-ends.ts';
import { checkEventEnds } from './event-ends.ts';
import { checkExpiryEnds } from './expiry-ends.ts';
import { checkExplainedEnds } from './explained-ends.ts';
import { checkFeedEnds } from './feed-ends.ts';
import { checkListEnds } from './list-ends.ts';
import { checkOtherServiceEnds } from './other-service-ends.ts';
import { checkPayinEnds } from './pay-in-ends.ts';
import { checkPayoutEnds } from './payout-ends.ts';
import { checkReturnEnds } from './return-ends.ts';
import { checkSearchEnds } from './search-ends.ts';
import { checkTransferEnds } from './transfer-ends.ts';
import { checkUnseen } from './unseen.ts';

/**
 * Checks what holds once every actor is done and the service has had time to finish.
 *
 * @throws {Violation}
 */
export function checkFinally(aftermath: Aftermath): void {
  checkTransferEnds(aftermath);
  checkSearchEnds(aftermath);
  checkPayinEnds(aftermath);
  checkBookEnds(aftermath);
  checkDepositBook(aftermath);
  checkExplainedEnds(aftermath);
  checkEventEnds(aftermath);
  checkDeliveryEnds(aftermath);
  checkFeedEnds(aftermath);
  checkOtherServiceEnds(aftermath);
  checkApprovalEnds(aftermath);
  checkAnswerEnds(aftermath);
  checkExpiryEnds(aftermath);
  checkDisclosure(aftermath);
  checkCosts(aftermath);
  checkCreditTimes(aftermath);
  checkListEnds(aftermath);
  checkPayoutEnds(aftermath);
  checkReturnEnds(aftermath);
  checkCommandEnds(aftermath);
  checkErrorEnds(aftermath);
  checkUnseen(aftermath);
}
