import { describe, expect, test } from 'vitest';
import { simulateClient } from '#functions/clients/simulate-client/simulate-client.ts';
import { simulateClientContract } from '#shared/clients/client-sandbox-contract.ts';
import { clientStatusEvent } from '#shared/clients/incoming-client-status.ts';
import { busInMemory } from '#test/support/bus-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';

function world(isBusDown = false) {
  const bus = busInMemory(isBusDown);
  const useCase = simulateClient(bus, () => 'evt_1');
  return { sent: bus.sent, post: (body: unknown) => useCase(routeCall(simulateClientContract, {}, body)) };
}

describe('decisions 8: the approval of the calling client', () => {
  test.each([{ complianceStatus: 'in_review' }, { status: 'suspended' }, { complianceStatus: 'a', status: 'b' }])(
    'is changed by the event that compliance would send: %j',
    async (told) => {
      const { sent, post } = world();
      expect((await post(told)).body).toEqual({ id: CLIENT, ...told });
      const [entry] = sent;
      expect(entry).toEqual({
        source: 'payments.compliance',
        type: 'client.status',
        detail: { clientId: CLIENT, eventId: 'evt_1', ...told },
      });
      const { source, type: detailType, detail } = entry ?? {};
      const received = { source, 'detail-type': detailType, detail, time: '2026-08-01T12:00:00Z' };
      expect(clientStatusEvent.safeParse(received).success).toBe(true);
    },
  );

  test.each([
    ['body', {}],
    ['body.status', { status: '' }],
    ['body.clientId', { status: 'a', clientId: 'another' }],
    ['body.complianceStatus', { complianceStatus: 'x'.repeat(65) }],
  ])('%s is checked: %j', async (path, body) => {
    const { sent, post } = world();
    expect((await expectApiError(() => post(body))).errors).toMatchObject([{ path }]);
    expect(sent).toEqual([]);
  });

  test('is 503 while the bus does not take the event', async () => {
    const error = await expectApiError(() => world(true).post({ status: 'approved' }));
    expect([error.status, error.retryAfterSeconds]).toEqual([503, 1]);
  });
});
