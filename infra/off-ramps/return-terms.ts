import { readDepositTerms } from '#infra/parameters/read-parameter-lists.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** For functions that say what is returnable, or send it back: `returnsSetting` and `assetAmountsSetting` read it. */
export function returnTerms({ name, settings, returns }: Stage) {
  const { returnFees } = readDepositTerms(name, settings);
  return { RETURNS: JSON.stringify(returns), RETURN_FEES: JSON.stringify(returnFees) };
}

/** For functions that say how many persons a return takes: amounts by the custodian's id of the token. */
export function approvalTerms({ name, settings }: Stage) {
  return { ONE_PERSON_UP_TO: JSON.stringify(readDepositTerms(name, settings).onePersonUpTo) };
}
