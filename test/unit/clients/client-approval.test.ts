import { describe, expect, test } from 'vitest';
import {
  approvalAfter,
  type ClientApproval,
  type IncomingApproval,
  statusOf,
} from '#shared/clients/client-approval.ts';
import { CLIENT } from '#test/support/ids.ts';

const EARLIER = '2026-08-01T11:00:00.000Z';
const NOW = '2026-08-01T12:00:00.000Z';
const LATER = '2026-08-01T13:00:00.000Z';

const seen: ClientApproval = {
  clientId: CLIENT,
  complianceStatus: 'pending',
  status: 'pending',
  complianceStatusAt: NOW,
  statusAt: '',
  sequence: 7,
};

describe('what a client is told of its approval', () => {
  test.each([
    ['approved', 'approved', 'approved'],
    ['pending', 'approved', 'pending'],
    ['rejected', 'blocked', 'rejected'],
    ['approved', 'blocked', 'blocked'],
  ])('compliance %s, status %s: %s', (complianceStatus, status, told) => {
    expect(statusOf({ complianceStatus, status })).toBe(told);
  });
});

describe('what compliance says', () => {
  const taking = (told: IncomingApproval) => approvalAfter(seen, told);

  test('of one kind leaves the other as it is', () => {
    expect(taking({ status: 'approved', at: NOW })).toEqual({
      ...seen,
      status: 'approved',
      statusAt: NOW,
      sequence: 8,
    });
    expect(taking({ complianceStatus: 'approved', at: LATER })).toEqual({
      ...seen,
      complianceStatus: 'approved',
      complianceStatusAt: LATER,
      sequence: 8,
    });
  });

  test('of both kinds at once is taken over as a whole', () => {
    expect(taking({ complianceStatus: 'approved', status: 'approved', at: LATER })).toMatchObject({
      complianceStatus: 'approved',
      status: 'approved',
      sequence: 8,
    });
  });

  test('again is nothing new', () => {
    expect(taking({ complianceStatus: 'pending', at: NOW })).toBeUndefined();
  });

  test('again at a later time is known to be of that time', () => {
    expect(taking({ complianceStatus: 'pending', at: LATER })).toEqual({
      ...seen,
      complianceStatusAt: LATER,
      sequence: 8,
    });
  });

  test('that is older than what is known is nothing new, each kind by itself', () => {
    expect(taking({ complianceStatus: 'approved', at: EARLIER })).toBeUndefined();
    expect(taking({ complianceStatus: 'approved', status: 'approved', at: EARLIER })).toEqual({
      ...seen,
      status: 'approved',
      statusAt: EARLIER,
      sequence: 8,
    });
  });

  test('in the same second as what is known is taken, unless it approves: a suspension wins in whichever order they come', () => {
    expect(taking({ complianceStatus: 'rejected', at: NOW })).toMatchObject({ complianceStatus: 'rejected' });
    expect(taking({ complianceStatus: 'approved', at: NOW })).toBeUndefined();
    for (const order of [
      ['approved', 'suspended', 'approved'],
      ['suspended', 'approved'],
      ['approved', 'suspended'],
    ]) {
      const ended = order.reduce((known, status) => approvalAfter(known, { status, at: LATER }) ?? known, seen);
      expect(ended.status).toBe('suspended');
    }
  });
});
