import { expect, test } from 'vitest';
import { heldReturns, restoredTerms } from '#infra/off-ramps/return-terms.ts';
import { stageNamed } from '#infra/stage/stages.ts';

const at = '2026-11-21T15:20:11Z';
const staging = stageNamed('staging');
const restoredTo = (restored: { at: string; tables: object; booksMatched?: true }) => ({
  ...staging,
  settings: { ...staging.settings, restored },
});

test('returns are held until the books match, and deposits of unknown addresses call somebody until the setting is gone', () => {
  const matched = restoredTo({ at, tables: {}, booksMatched: true });
  expect([heldReturns(matched), restoredTerms(matched)]).toEqual([{}, { RESTORED_AT: at }]);
  expect([heldReturns(staging), restoredTerms(staging)]).toEqual([{}, {}]);
});
