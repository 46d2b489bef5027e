import { describe, expect, test } from 'vitest';
import { receiveCustodianNotification } from '#functions/off-ramps/receive-custodian-notification/receive-custodian-notification.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import type { ReadNotified } from '#shared/off-ramps/custodians/normal-form.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { BadSignature } from '#shared/platform/aws/kms-signatures.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { logged } from '#test/support/logged.ts';
import { CREATED_AT, HASH } from '#test/support/off-ramp.ts';

const transfer = { custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH } as const;

/** What is done, in order; `fails` names the step that does not work. */
function world(fails?: 'read' | 'remember' | 'enqueue', notified: ReadNotified = transfer, known?: Deposit) {
  const done: string[] = [];
  const step = (name: string) => {
    if (name === fails) throw name === 'read' ? new BadSignature('another key') : new Error(`${name} failed`);
    done.push(name);
  };
  const useCase = receiveCustodianNotification({
    readNotification: async ({ rawBody }) => {
      step('read');
      return rawBody.length > 0 ? notified : undefined;
    },
    deposits: {
      find: async () => known,
      async rememberUnreadable(custodianTransferId, fields) {
        done.push(`unreadable ${custodianTransferId} ${fields}`);
      },
      async remember({ custodianTransferId }, now) {
        step('remember');
        return { custodianTransferId, nextPollAt: now.toISOString() };
      },
    },
    sendPoll: async () => step('enqueue'),
    clock: fakeClock(CREATED_AT),
  });
  const receive = (rawBody: string) =>
    useCase({
      clientId: '',
      path: {},
      query: () => ({}),
      bytes: () => Buffer.from(rawBody),
      http: httpRequest(rawBody),
    });
  return { receive, done };
}

describe("decisions 4, detected without a report: the custodian's notification", () => {
  test('is stored, then queued, then answered', async () => {
    const { receive, done } = world();
    expect(await receive('{}')).toEqual({
      body: { received: true },
      ids: { custodianTransferId: transfer.custodianTransferId },
    });
    expect(done).toEqual(['read', 'remember', 'enqueue']);
  });

  test('is queued again when it is repeated, so that nothing half done is lost', async () => {
    const { receive, done } = world();
    await receive('{}');
    await receive('{}');
    expect(done.filter((step) => step === 'enqueue')).toHaveLength(2);
  });

  test('decisions 12, boundary: that cannot be read is no success and calls somebody, and its transfer can be found', async () => {
    const lines = logged();
    const { receive, done } = world(undefined, { custodianTransferId: 'transfer-1', unreadableFields: 'txHash' });
    expect((await expectApiError(() => receive('{}'))).code).toBe('SERVICE_UNAVAILABLE');
    expect(done).toEqual(['read', 'unreadable transfer-1 txHash']);
    const fields = { custodianTransferId: 'transfer-1', fields: 'txHash' };
    expect(lines).toEqual([{ level: 'error', code: 'NOTIFICATION_UNREADABLE', fields }]);
  });

  test('decisions 12, boundary: that cannot be read and names a transfer that is known is one of that', async () => {
    logged();
    const deposit = { ...transfer, firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    const unreadable = { custodianTransferId: 'transfer-1', unreadableFields: 'txHash' };
    const { receive, done } = world(undefined, unreadable, deposit);
    expect((await receive('{}')).body).toEqual({ received: true });
    expect(done).toEqual(['read', 'remember', 'enqueue']);
  });

  test('decisions 12, boundary: of which not even the transfer can be read is no success, and calls somebody', async () => {
    const lines = logged();
    const { receive, done } = world(undefined, { unreadableFields: 'everything' });
    expect((await expectApiError(() => receive('{}'))).code).toBe('SERVICE_UNAVAILABLE');
    expect([done, lines.map(({ code }) => code)]).toEqual([['read'], ['NOTIFICATION_UNREADABLE']]);
  });

  test('about something else than a transfer is taken and forgotten', async () => {
    const { receive, done } = world();
    expect((await receive('')).body).toEqual({ received: false });
    expect(done).toEqual(['read']);
  });

  test('that is not signed by the custodian does nothing', async () => {
    const { receive, done } = world('read');
    const { code, message } = await expectApiError(() => receive('{}'));
    expect([code, message]).toEqual(['UNAUTHORIZED', expect.stringContaining('custodian')]);
    expect(done).toEqual([]);
  });

  test.each(['remember', 'enqueue'] as const)(
    'whose %s fails is no success, so that the custodian sends it again',
    async (step) => {
      await expect(world(step).receive('{}')).rejects.toThrow(`${step} failed`);
    },
  );

  test('that is too large is not even verified', async () => {
    logged();
    const read = providerEndpoint(receiveCustodianNotificationContract, systemClock, async ({ bytes }) => ({
      body: { received: bytes().length > 0 },
    }));
    const sent = (bytes: number) => invoke(read, gatewayEvent({ body: 'x'.repeat(bytes), pathParameters: {} }));
    expect((await sent(256 * 1024)).statusCode).toBe(200);
    expect(problemOf(await sent(256 * 1024 + 1)).code).toBe('PAYLOAD_TOO_LARGE');
  });
});
