import { describe, expect, test } from 'vitest';
import { payin } from '#shared/pay-ins/pay-in.ts';
import {
  createPayinContract,
  describePayin,
  describePayinWithHistory,
  getPayinContract,
} from '#shared/pay-ins/pay-in-contract.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';

const kept = Object.keys(payin.shape);

describe('the fields of a pay-in are defined once: no field of a request is lost, and no field of an answer is invented', () => {
  test('every field of the request is a field of the pay-in', () => {
    expect(Object.keys(createPayinContract.body.shape).filter((name) => !kept.includes(name))).toEqual([]);
  });

  test('so is every field of an answer, but for its id, which is the pay-in’s, its link, which is its page, and what is left of its money', () => {
    const answered = Object.keys(getPayinContract.success.body.shape);
    expect(answered.filter((name) => !kept.includes(name))).toEqual(['id', 'pseLink', 'remainingAmount']);
  });

  test('the creation answers what every read does, but for the user, the history and the sequence', () => {
    const payin = payinOf({ paymentUrl: 'https://pse.example/p', externalReference: 'invoice-7' });
    const { userId, createdAt, sequence, statusHistory } = payin;
    expect(describePayinWithHistory(payin)).toEqual({
      ...describePayin(payin),
      ...{ userId, createdAt, sequence, statusHistory },
    });
  });
});
