import { describe, expect, test } from 'vitest';
import { applyClientStatus } from '#functions/clients/apply-client-status/apply-client-status.ts';
import type { ClientApproval } from '#shared/clients/client-approval.ts';
import { createClientApprovals } from '#shared/clients/client-repository.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT } from '#test/support/ids.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const pending = { clientId: CLIENT, complianceStatus: 'pending', status: 'approved' };

interface World {
  readonly client?: typeof pending & { readonly sequence?: number };
  /** Fields of the client that another writer changes just before the next write. */
  readonly clientMeanwhile?: Partial<ClientApproval>;
}

/** The tables with one client, and another writer if a test names one. */
function world({ client, clientMeanwhile }: World) {
  const clock = fakeClock('2026-08-01T12:00:00.000Z');
  const { dynamo, table, writes } = tablesInMemory();
  const clients = table('clients');
  if (client !== undefined) clients.put(client);
  const clientOthers = clientMeanwhile === undefined ? [] : [clientMeanwhile];
  const approvals = createClientApprovals(dynamo, { clients: 'clients', events: 'events' }, clock);
  const apply = applyClientStatus({
    approvals: {
      find: approvals.find,
      change: async (seen, after) => {
        const other = clientOthers.shift();
        if (other !== undefined) clients.put({ ...seen, ...other, sequence: seen.sequence + 1 });
        await approvals.change(seen, after);
      },
    },
    clock,
  });
  const now = () => ({ sentAt: clock.now(), isRepeat: false });
  return {
    keptClient: () => approvals.find(CLIENT),
    events: () => table('events').items(),
    writes,
    clock,
    /** Receives the message as the bus's rule queues it: ingested at `came`, with its sender's time `time`. */
    receiveClientStatus: (detail: object, came = '2026-08-01T12:00:00Z', time = came) =>
      apply(
        `{"ingestedAt":"${came}","event":${envelope({
          source: 'payments.compliance',
          'detail-type': 'client.status',
          detail: { clientId: CLIENT, ...detail },
          time,
        })}}`,
        now(),
      ),
    apply: (message: string) => apply(message, now()),
  };
}

/** A message as EventBridge puts it into the queue. */
function envelope(event: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    account: '000000000000',
    region: 'us-east-1',
    time: '2026-08-01T12:00:00Z',
    resources: [],
    ...event,
  });
}

describe('the approval of a client', () => {
  const eventId = 'evt_1';

  test('is stored, together with its event', async () => {
    const lines = captureLogs();
    const { receiveClientStatus, keptClient, events } = world({ client: pending });
    await receiveClientStatus({ complianceStatus: 'approved', eventId });
    expect(events()).toMatchObject([{ type: 'compliance.client.status_changed', clientId: CLIENT }]);
    expect(await keptClient()).toEqual({ ...pending, complianceStatus: 'approved', resultIds: [eventId], sequence: 1 });
    expect(lines).toEqual([
      { level: 'info', code: 'STATUS_CHANGED', fields: { clientId: CLIENT, eventId, from: 'pending', to: 'approved' } },
    ]);
  });

  test('makes no event while the client reads the same status', async () => {
    const { receiveClientStatus, keptClient, events } = world({ client: pending });
    await receiveClientStatus({ status: 'blocked' });
    expect([await keptClient(), events()]).toMatchObject([{ status: 'blocked' }, []]);
  });

  test('that is repeated changes nothing, by its id or that of its envelope', async () => {
    const lines = captureLogs();
    const { receiveClientStatus, writes } = world({ client: pending });
    for (const said of [{ eventId }, { eventId }, {}, {}]) {
      await receiveClientStatus({ complianceStatus: 'approved', ...said });
    }
    expect(writes()).toBe(2);
    const [applied, repeated] = ['STATUS_CHANGED', 'STATUS_CHANGE_REPEATED'];
    expect(lines.map(({ code }) => code)).toEqual([applied, repeated, applied, repeated]);
  });

  test('is known by each digit of its id: another number of 64 bits is another result', async () => {
    captureLogs();
    const { receiveClientStatus, keptClient } = world({ client: pending });
    const eventIds = ['9007199254740992', '9007199254740993'];
    for (const [at, status] of ['approved', 'suspended'].entries()) {
      await receiveClientStatus({ status, eventId: Object(JSON).rawJSON(eventIds[at]) });
    }
    expect(await keptClient()).toMatchObject({ status: 'suspended', resultIds: eventIds.toReversed() });
  });

  test.each([
    ['late', '2026-08-01T12:00:09Z', '2026-08-01T12:00:09Z'],
    ['of 2099', '2026-08-01T12:00:09Z', '2099-01-01T00:00:00Z'],
  ])(
    'that was sent before a suspension was applied, %s, changes nothing whenever it comes, and operators are told by both ids',
    async (_, came, time) => {
      const lines = captureLogs();
      const { receiveClientStatus, keptClient, writes, clock } = world({ client: pending });
      await receiveClientStatus({ complianceStatus: 'approved', eventId: 'first' }, '2026-08-01T12:00:00Z');
      clock.set('2026-08-01T12:00:10.400Z');
      await receiveClientStatus({ status: 'suspended', eventId: 'suspension' }, '2026-08-01T12:00:05Z');
      const suspended = await keptClient();
      // Two days later, moved back from the dead letters.
      clock.set('2026-08-03T12:00:00.000Z');
      await receiveClientStatus({ complianceStatus: 'approved', status: 'approved', eventId }, came, time);
      expect([await keptClient(), writes()]).toEqual([suspended, 2]);
      const at = came.replace('Z', '.000Z');
      expect(lines.at(-1)).toEqual({
        level: 'warn',
        code: 'APPROVAL_IGNORED',
        fields: { clientId: CLIENT, eventId, at, withheldBy: 'suspension' },
      });
    },
  );

  test.each([{}, { sequence: 4 }])('is decided again on the write that won the race: %j', async (written) => {
    captureLogs();
    const { receiveClientStatus, keptClient } = world({
      client: { ...pending, ...written },
      clientMeanwhile: { status: 'blocked' },
    });
    await receiveClientStatus({ complianceStatus: 'approved' });
    const sequence = (written.sequence ?? 0) + 2;
    expect(await keptClient()).toMatchObject({ complianceStatus: 'approved', status: 'blocked', sequence });
  });

  test('of an unknown client is refused', async () => {
    const lines = captureLogs();
    await world({}).receiveClientStatus({ status: 'approved' });
    expect(lines).toEqual([{ level: 'error', code: 'STATUS_CHANGE_REFUSED', fields: { clientId: CLIENT } }]);
  });
});

describe('an event that cannot be read comes again, and ends with the dead letters', () => {
  const client = { source: 'payments.compliance', 'detail-type': 'client.status' };
  const told = { clientId: CLIENT, complianceStatus: 'approved' };

  test.each([
    ['no JSON', 'x'],
    ['no event', '[]'],
    ['of another type', envelope({ ...client, 'detail-type': 'client.closed', detail: told })],
    ['that says nothing of the client', envelope({ ...client, detail: { clientId: CLIENT } })],
    ['that says null of the client', envelope({ ...client, detail: { clientId: CLIENT, status: null } })],
    [
      'with an endless status of the client',
      envelope({ ...client, detail: { clientId: CLIENT, status: 'x'.repeat(65) } }),
    ],
    [
      'on a client by payouts',
      envelope({ ...client, source: 'payments.payouts', detail: { clientId: CLIENT, status: 'approved' } }),
    ],
    ['at no time', envelope({ ...client, time: 'now', detail: { clientId: CLIENT, status: 'approved' } })],
  ])('%s', async (_, message) => {
    const lines = captureLogs();
    const { apply, writes } = world({ client: pending });
    const eventSourceARN = 'arn:aws:sqs:us-east-1:000000000000:told';
    const handled = await handleEachMessage('apply-client-status', systemClock, (body) => apply(body))({
      Records: [
        { messageId: 'broken', body: message, eventSourceARN },
        { messageId: 'good', body: envelope({ ...client, detail: told }), eventSourceARN },
      ],
    });
    expect(handled).toEqual({ batchItemFailures: [{ itemIdentifier: 'broken' }] });
    expect(writes()).toBe(1);
    expect(lines.map(({ code }) => code).sort()).toEqual(['MESSAGE_FAILED', 'MESSAGE_HANDLED', 'STATUS_CHANGED']);
  });
});
