import { readDepositTerms } from '#infra/parameters/read-parameter-lists.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** For functions that say what is returnable, or send it back; read by `returnsSetting` and `assetAmountsSetting`. */
export function returnsEnvironment(stage: Stage) {
  const { returnFees } = readDepositTerms(stage.name, stage.settings);
  return { RETURNS: JSON.stringify(stage.returns), RETURN_FEES: JSON.stringify(returnFees) };
}

/** Holds all returns until the books have matched what went out since a restore; read by `heldSinceSetting`. */
export function heldReturnsEnvironment({ settings: { restored } }: Stage): { HELD_SINCE?: string } {
  return restored === undefined || restored.booksMatched ? {} : { HELD_SINCE: restored.at };
}

/** Set while a restore is put right; read by `restoredSetting`. */
export function restoredEnvironment({ settings: { restored } }: Stage): { RESTORED_AT?: string } {
  return restored === undefined ? {} : { RESTORED_AT: restored.at };
}

/** For functions that say how many persons a return takes: amounts by the custodian's id of the token. */
export function approvalsEnvironment({ name, settings }: Stage) {
  return { ONE_PERSON_UP_TO: JSON.stringify(readDepositTerms(name, settings).onePersonUpTo) };
}
