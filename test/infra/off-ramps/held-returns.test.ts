import { expect, test } from 'vitest';
import { heldReturnsEnvironment, restoredEnvironment } from '#infra/off-ramps/return-environment.ts';
import { stageNamed } from '#infra/stage/stages.ts';

const at = '2026-11-21T15:20:11Z';
const staging = stageNamed('staging');
const restoredTo = (restored: { at: string; tables: object; booksMatched?: true }) => ({
  ...staging,
  settings: { ...staging.settings, restored },
});

test('returns are held until the books match, and deposits of unknown addresses call somebody until the setting is gone', () => {
  const matched = restoredTo({ at, tables: {}, booksMatched: true });
  expect([heldReturnsEnvironment(matched), restoredEnvironment(matched)]).toEqual([{}, { RESTORED_AT: at }]);
  expect([heldReturnsEnvironment(staging), restoredEnvironment(staging)]).toEqual([{}, {}]);
});
