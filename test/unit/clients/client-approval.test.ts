import { describe, expect, test } from 'vitest';
import {
  type ClientApproval,
  clientStatusOf,
  decideApproval,
  type IncomingApproval,
} from '#shared/clients/client-approval.ts';
import { queuedClientStatus, toIncomingApproval } from '#shared/clients/incoming-client-status.ts';
import { CLIENT } from '#test/support/ids.ts';

const NOW = '2026-08-01T12:00:00.400Z';

const approved: ClientApproval = {
  clientId: CLIENT,
  complianceStatus: 'approved',
  status: 'approved',
  resultIds: [],
  sequence: 7,
};
const suspended: ClientApproval = { ...approved, status: 'suspended', withheld: { eventId: 'suspension', at: NOW } };

const result = (said: Partial<IncomingApproval>): IncomingApproval => ({
  clientId: CLIENT,
  eventId: 'event',
  at: '2026-08-01T12:00:00.000Z',
  cameAt: '2026-08-01T12:00:00.000Z',
  ...said,
});
const approval = (said: Partial<IncomingApproval> = {}) =>
  result({ complianceStatus: 'approved', status: 'approved', ...said });
const judge = (seen: ClientApproval, said: IncomingApproval) => decideApproval(seen, said, new Date(NOW));

describe('what a client is told of its approval', () => {
  test.each([
    ['approved', 'approved', 'approved'],
    ['pending', 'approved', 'pending'],
    ['rejected', 'blocked', 'rejected'],
    ['approved', 'blocked', 'blocked'],
  ])('compliance %s, status %s: %s', (complianceStatus, status, told) => {
    expect(clientStatusOf({ complianceStatus, status })).toBe(told);
  });
});

describe('decisions 11, Clients: a result of compliance', () => {
  test('of one kind leaves the other as it is, and is kept by its event', () => {
    expect(judge({ ...approved, status: 'pending', resultIds: ['before'] }, result({ status: 'approved' }))).toEqual({
      isTooOld: false,
      after: { ...approved, resultIds: ['event', 'before'], sequence: 8 },
    });
  });

  test.each(['1970-01-01T00:00:00.000Z', '2026-08-01T12:00:00.000Z', '2099-01-01T00:00:00.000Z'])(
    'that withholds the approval is applied as of now, whatever its own time: %s',
    (at) => {
      expect(judge(approved, result({ status: 'suspended', at }))).toEqual({
        isTooOld: false,
        after: {
          ...approved,
          status: 'suspended',
          resultIds: ['event'],
          withheld: { eventId: 'event', at: NOW },
          sequence: 8,
        },
      });
    },
  );

  test.each([
    ['before it', '2026-08-01T11:59:59.000Z'],
    ['in its second, before it', '2026-08-01T12:00:00.000Z'],
    ['in its second, after it: who can tell', '2026-08-01T12:00:00.999Z'],
  ])('that approves changes nothing after a suspension that was applied %s', (_, at) => {
    for (const said of [
      approval({ at }),
      result({ status: 'approved', at }),
      result({ complianceStatus: 'approved', at }),
    ]) {
      expect(judge(suspended, said)).toEqual({ isTooOld: true });
    }
  });

  test('that withholds counts from its arrival if the clock of the function that applies it is behind', () => {
    const cameAt = '2026-08-01T12:00:07.000Z';
    const { after = approved } = judge(approved, result({ status: 'suspended', cameAt }));
    expect(after.withheld?.at).toBe(cameAt);
    expect(judge(after, approval({ eventId: 'before it', at: '2026-08-01T12:00:06.000Z' }))).toEqual({
      isTooOld: true,
    });
  });

  test('that withholds one kind and approves the other with too old a time approves nothing', () => {
    const rejected = { ...suspended, complianceStatus: 'rejected' };
    expect(judge(rejected, result({ complianceStatus: 'approved', status: 'blocked' }))).toMatchObject({
      isTooOld: true,
      after: { complianceStatus: 'rejected', status: 'blocked', withheld: { eventId: 'event' } },
    });
  });

  test('that comes again changes nothing, whichever it was: a repeated suspension does not end a later approval', () => {
    const once = judge(approved, result({ status: 'suspended', eventId: 'suspension' })).after ?? approved;
    const then = judge(once, approval({ at: '2026-08-01T12:00:01.000Z', eventId: 'approval' })).after ?? once;
    for (const again of [result({ status: 'suspended', eventId: 'suspension' }), approval({ eventId: 'approval' })]) {
      expect(judge(then, again)).toEqual({ isTooOld: false });
    }
  });

  test('is recognised as a repeat among the last twenty', () => {
    const said = (nth: number) => result({ status: 'suspended', eventId: `event ${nth}` });
    const after = Array.from({ length: 21 }, (_, nth) => said(nth)).reduce(
      (seen, one) => judge(seen, one).after ?? seen,
      approved,
    );
    expect(after.resultIds).toHaveLength(20);
    expect(judge(after, said(1))).toEqual({ isTooOld: false });
    expect(judge(after, said(0)).after).toBeDefined();
  });
});

describe('decisions 11, Clients: the time of a result', () => {
  const event = (time: string, detail: object = {}) => ({
    id: 'envelope',
    source: 'payments.compliance',
    'detail-type': 'client.status',
    time,
    detail: { clientId: CLIENT, status: 'approved', ...detail },
  });
  const CAME = '2026-08-01T12:00:00Z';
  const MOVED_BACK = new Date('2026-08-03T12:00:00Z');
  const read = (message: unknown) => toIncomingApproval(queuedClientStatus.parse(message), MOVED_BACK);

  test.each([
    ['its own, when that is earlier', '2026-08-01T13:00:00+02:00', '2026-08-01T11:00:00.000Z'],
    ['its arrival, when its own lies in the future', '2099-01-01T00:00:00Z', '2026-08-01T12:00:00.000Z'],
    [
      'its arrival, when its own is that of another zone, written as UTC',
      '2026-08-01T17:00:00Z',
      '2026-08-01T12:00:00.000Z',
    ],
  ])('is %s: however late it comes out of the dead letters', (_, time, at) => {
    expect(read({ ingestedAt: CAME, event: event(time) })).toMatchObject({ at });
  });

  test.each([[event('2099-01-01T00:00:00Z')], [{ ingestedAt: '', event: event('2099-01-01T00:00:00Z') }]])(
    'is that of its message where the rule of the bus does not say when it came',
    (message) => {
      expect(read(message)).toMatchObject({ at: MOVED_BACK.toISOString() });
    },
  );

  test.each([
    ['that it bears', { eventId: 'evt_1' }, 'evt_1'],
    ['that it bears as a number', { eventId: 17 }, '17'],
    ['of its envelope', { eventId: ' ' }, 'envelope:envelope'],
    ['of its envelope', {}, 'envelope:envelope'],
  ])('and its id is the one %s: %j', (_, detail, eventId) => {
    expect(read({ ingestedAt: CAME, event: event(CAME, detail) }).eventId).toBe(eventId);
  });
});
