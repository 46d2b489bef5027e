import { readDepositTerms } from '#infra/parameters/read-parameter-lists.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** For functions that say what is returnable, or send it back; read by `returnsSetting` and `assetAmountsSetting`. */
export function returnTerms(stage: Stage) {
  const { returnFees } = readDepositTerms(stage.name, stage.settings);
  return { RETURNS: JSON.stringify(stage.returns), RETURN_FEES: JSON.stringify(returnFees) };
}

/** Holds all returns until the books have matched what went out since a restore; read by `heldSinceSetting`. */
export function heldReturns({ settings: { restored } }: Stage): { HELD_SINCE?: string } {
  return restored === undefined || restored.booksMatched ? {} : { HELD_SINCE: restored.at };
}

/** Set while a restore is put right; read by `restoredSetting`. */
export function restoredTerms({ settings: { restored } }: Stage): { RESTORED_AT?: string } {
  return restored === undefined ? {} : { RESTORED_AT: restored.at };
}

/** For functions that say how many persons a return takes: amounts by the custodian's id of the token. */
export function approvalTerms({ name, settings }: Stage) {
  return { ONE_PERSON_UP_TO: JSON.stringify(readDepositTerms(name, settings).onePersonUpTo) };
}
