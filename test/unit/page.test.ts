import { describe, expect, test } from 'vitest';
import { recordAtCursor } from '#shared/http/page.ts';
import { OPERATION } from '../support/off-ramp.ts';
import { refused } from '../support/refused.ts';

const record = { id: OPERATION, userId: 'of this list' };

/** Finds the one record, and nothing like an id that the table would not take as a key. */
async function find(id: string) {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`ValidationException: ${id}`);
  return id === OPERATION ? record : undefined;
}

const at = (cursor: string | undefined, userId = record.userId) =>
  recordAtCursor(cursor, find, (one) => one.userId === userId);

describe('a cursor', () => {
  test('that is not given begins with the newest', async () => {
    expect(await at(undefined)).toBeUndefined();
  });

  test('is the id of the last record of the page before, in either case', async () => {
    expect(await at(OPERATION)).toBe(record);
    expect(await at(OPERATION.toUpperCase())).toBe(record);
  });

  test.each([
    ['nothing', ''],
    ['no id', 'forged'],
    ['longer than any key', 'x'.repeat(5000)],
    ['the id of nothing', '99999999-9999-4999-8999-999999999999'],
  ])('that is %s is refused', async (_, cursor) => {
    const refusal = await refused(() => at(cursor));
    expect(refusal).toMatchObject({ status: 422, errors: [{ path: 'query.cursor', code: 'INVALID_CURSOR' }] });
  });

  test('of another list is refused', async () => {
    expect(await refused(() => at(OPERATION, 'another'))).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
