import { describe, expect, test } from 'vitest';
import { listWebhooks } from '#functions/webhooks/list-webhooks/list-webhooks.ts';
import { listWebhooksContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory, openCircuitIn } from '#test/support/health-in-memory.ts';
import { STRANGER } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const FOREIGN = '66666666-6666-4666-8666-666666666666';
const INACTIVE = '77777777-7777-4777-8777-777777777777';

describe('decisions 7: the list of webhooks', () => {
  const { readCircuits } = healthInMemory(fakeClock(NOW));
  const list = listWebhooks({
    readCircuits,
    webhooks: webhooksInMemory(
      webhookOf(),
      webhookOf({ webhookId: FOREIGN, clientId: STRANGER }),
      webhookOf({ webhookId: INACTIVE, status: false, method: 'PUT', process: 'compliance' }),
    ),
  });

  test('is a bare array of the client’s, active and inactive, each as in interface 2.9 and nothing more', async () => {
    const { webhookId, url, userId } = webhookOf();
    expect((await list(routeCall(listWebhooksContract, {}))).body).toEqual([
      { id: webhookId, method: 'POST', process: 'ramp', status: true, url, userId },
      { id: INACTIVE, method: 'PUT', process: 'compliance', status: false, url, userId },
    ]);
  });

  test('says why and since when the service has sent nothing to one', async () => {
    const deactivation = { status: false, statusReason: 'ENDPOINT_FAILING', deactivatedAt: NOW } as const;
    const listed = listWebhooks({ readCircuits, webhooks: webhooksInMemory(webhookOf(deactivation)) });
    expect((await listed(routeCall(listWebhooksContract, {}))).body).toMatchObject([deactivation]);
  });

  test('is empty for a client that has none', async () => {
    const none = listWebhooks({ readCircuits, webhooks: webhooksInMemory() });
    expect((await none(routeCall(listWebhooksContract, {}))).body).toEqual([]);
  });

  test('says until when a parked webhook waits, and nothing of the sort for the others', async () => {
    const [parked, other] = [webhookOf({ createdAt: NOW }), webhookOf({ webhookId: INACTIVE })];
    const openHealth = healthInMemory(fakeClock(NOW));
    const parkedUntil = await openCircuitIn(openHealth, parked);
    const listed = listWebhooks({ readCircuits: openHealth.readCircuits, webhooks: webhooksInMemory(other, parked) });
    const { body } = await listed(routeCall(listWebhooksContract, {}));
    expect(body.map((each) => each.parkedUntil)).toEqual([undefined, parkedUntil]);
  });

  test('of another client is refused', async () => {
    expect((await expectApiError(() => list(routeCall(listWebhooksContract, { clientId: STRANGER })))).code).toBe(
      'FORBIDDEN',
    );
  });
});
