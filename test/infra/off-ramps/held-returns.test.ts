import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { heldReturns, restoredTerms } from '#infra/off-ramps/return-terms.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { synthesiseStage } from '#test/support/synthesised.ts';

const at = '2026-11-21T15:20:11Z';
const staging = stageNamed('staging');
const restoredTo = (restored: { at: string; tables: object; booksMatched?: true }) => ({
  ...staging,
  settings: { ...staging.settings, restored },
});

const withVariables = z.object({
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.unknown()) })),
});

test('decisions 9, after a restore: all that sends back, credits or looks at returns knows its second', () => {
  const variables = synthesiseStage(restoredTo({ at, tables: {} }))
    .ofType('AWS::Lambda::Function', withVariables)
    .map(({ properties }) => properties.Environment?.Variables ?? {});
  const returning = variables.filter((one) => 'RETURN_FEES' in one);
  expect(returning.length).toBeGreaterThan(3);
  expect(returning.filter((one) => one['HELD_SINCE'] !== at)).toEqual([]);
  // Besides, the two look-ups that show off-ramps and deposits say it.
  expect(variables.filter((one) => one['HELD_SINCE'] === at)).toHaveLength(returning.length + 2);
  expect(variables.filter((one) => one['RESTORED_AT'] === at)).toHaveLength(3);
});

test('returns are held until the books match, and deposits of unknown addresses call somebody until the setting is gone', () => {
  const matched = restoredTo({ at, tables: {}, booksMatched: true });
  expect([heldReturns(matched), restoredTerms(matched)]).toEqual([{}, { RESTORED_AT: at }]);
  expect([heldReturns(staging), restoredTerms(staging)]).toEqual([{}, {}]);
});
