import { expect, test } from 'vitest';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

/** The table; its first answers may be lost after the write. */
function records(lostAnswers = 0) {
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const idempotency = createIdempotencyRecords(tablesInMemory(lostAnswers).dynamo, 'idempotency', newId);
  const claimAt = (now: number) =>
    idempotency.claim({
      scopeDigest: 'scope',
      requestDigest: 'request',
      resourceId: newId(),
      now,
      lockedUntil: now + 30,
      expiresAt: now + 86_400,
    });
  /** The lock of a try that succeeds in taking it. */
  const heldAt = async (now: number) => {
    const claimed = await claimAt(now);
    if (claimed.state !== 'CLAIMED') throw new Error(claimed.state);
    return { scopeDigest: 'scope', claimToken: claimed.claimToken };
  };
  return { ...idempotency, claimAt, heldAt };
}

test('decisions 5, same request twice: a first claim whose answer was lost is known again when the SDK repeats it', async () => {
  const { claimAt } = records(1);
  const first = await claimAt(1000);
  expect(first).toMatchObject({ state: 'CLAIMED', resourceId: 'id-1', isFirstTry: true });
  expect(await claimAt(1001)).toEqual({ state: 'LOCKED' });
  expect(await claimAt(1030)).toMatchObject({ state: 'CLAIMED', resourceId: 'id-1', isFirstTry: false });
});

test('decisions 5, same request twice: a later claim whose answer was lost is known again, and is no first try', async () => {
  const { claimAt } = records(0);
  await claimAt(1000);
  expect(await claimAt(1029)).toEqual({ state: 'LOCKED' });
  const { claimAt: claimAgain } = records(2);
  await claimAgain(1000);
  expect(await claimAgain(1030)).toMatchObject({ state: 'CLAIMED', resourceId: 'id-1', isFirstTry: false });
  expect(await claimAgain(1031)).toEqual({ state: 'LOCKED' });
});

const SECOND_TRY = { state: 'CLAIMED', resourceId: 'id-1', isFirstTry: false };

test('a try whose lock was taken by another frees no key, breaks no lock and gives no answer', async () => {
  const { claimAt, heldAt, answer, forget, unlock } = records();
  const late = await heldAt(1000);
  await heldAt(1030);
  await forget(late);
  await unlock(late);
  await answer(late, 'late');
  expect(await claimAt(1031)).toEqual({ state: 'LOCKED' });
  expect(await claimAt(1060)).toMatchObject(SECOND_TRY);
});

test('a try that ends after the key was freed leaves no unreadable record', async () => {
  const { claimAt, heldAt, answer, forget, unlock } = records();
  const held = await heldAt(1000);
  await forget(held);
  await unlock(held);
  await answer(held, 'late');
  expect(await claimAt(1001)).toMatchObject({ state: 'CLAIMED', isFirstTry: true });
});

test('an answer that was stored, and whose try was told that it was not, is the answer of the next try', async () => {
  const { claimAt, heldAt, answer, unlock } = records();
  const held = await heldAt(1000);
  await answer(held, 'made');
  await unlock(held);
  expect(await claimAt(1001)).toEqual({ state: 'ANSWERED', answer: 'made' });
});

test('a write that the SDK repeats because its answer was lost counts once', async () => {
  for (const end of ['answer', 'forget', 'unlock'] as const) {
    const { claimAt, heldAt, ...table } = records(2);
    const held = await heldAt(1000);
    await (end === 'answer' ? table.answer(held, 'made') : table[end](held));
    const after = { answer: { state: 'ANSWERED', answer: 'made' }, forget: { isFirstTry: true }, unlock: SECOND_TRY };
    expect(await claimAt(1001)).toMatchObject(after[end]);
  }
});
