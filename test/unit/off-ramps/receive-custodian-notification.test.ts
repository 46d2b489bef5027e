import { describe, expect, test } from 'vitest';
import { receiveCustodianNotification } from '#functions/off-ramps/receive-custodian-notification/receive-custodian-notification.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { gatewayEvent, invoke, problemOf } from '#test/support/gateway.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { CREATED_AT, transfer as fullTransfer, HASH } from '#test/support/off-ramp.ts';

const transfer = { custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH } as const;

/** Records the steps in order; `fails` names the step that fails. */
function world(
  fails?: 'read' | 'remember' | 'enqueue',
  notified: unknown = transfer,
  known?: Deposit,
  byId?: Awaited<ReturnType<AskForTransfer>>,
  found: readonly CustodianTransfer[] = [],
) {
  const done: string[] = [];
  const step = (name: string) => {
    if (name === fails) throw name === 'read' ? new BadSignature('another key') : new Error(`${name} failed`);
    done.push(name);
  };
  const notifier = (name: string) => ({
    name,
    async readNotification({ rawBody }: { readonly rawBody: Buffer }) {
      step('read');
      return rawBody.length > 0 ? JSON.parse(JSON.stringify([notified].flat())) : [];
    },
  });
  const useCase = receiveCustodianNotification({
    isServed: (network) => network !== 'SUI',
    notifiers: new Map([
      ['BASE', notifier('one')],
      ['ETHEREUM', notifier('two')],
    ]),
    findTransfers: async () => found,
    async findTransfer({ custodianTransferId }) {
      done.push(`find ${custodianTransferId}`);
      return byId;
    },
    searches: {
      async start({ clientId, network, txHash }, now) {
        done.push(`search ${clientId}`);
        const [at, custodianTransferId] = [now.toISOString(), `HASH#${clientId}`];
        return { custodianTransferId, network, txHash, startsAt: at, endsAt: at, nextPollAt: at };
      },
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
  const receive = (rawBody: string, path: { readonly custodian?: string } = {}) =>
    useCase({
      clientId: '',
      path,
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
      ids: { custodianTransferId: `one:${transfer.custodianTransferId}` },
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
    const lines = captureLogs();
    const { receive, done } = world(undefined, { ...transfer, txHash: 'pending' });
    expect((await expectApiError(() => receive('{}'))).code).toBe('SERVICE_UNAVAILABLE');
    expect(done).toEqual(['read', 'unreadable one:transfer-1 txHash']);
    const fields = { custodianTransferId: 'one:transfer-1', fields: 'txHash' };
    expect(lines).toEqual([{ level: 'error', code: 'NOTIFICATION_UNREADABLE', fields }]);
  });

  test('decisions 12, boundary: that cannot be read and names a known transfer belongs to that transfer', async () => {
    captureLogs();
    const deposit = { ...transfer, firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    const { receive, done } = world(undefined, { ...transfer, txHash: 'pending' }, deposit);
    expect((await receive('{}')).body).toEqual({ received: true });
    expect(done).toEqual(['read', 'remember', 'enqueue']);
  });

  test('decisions 12, boundary: of which not even the transfer can be read is no success, and calls somebody', async () => {
    const lines = captureLogs();
    const { receive, done } = world(undefined, 'transfer');
    expect((await expectApiError(() => receive('{}'))).code).toBe('SERVICE_UNAVAILABLE');
    expect([done, lines.map(({ code }) => code)]).toEqual([['read'], ['NOTIFICATION_UNREADABLE']]);
  });

  test('decisions 12, notifications: that names several things has each of them looked up, by what it names', async () => {
    const { network, txHash } = transfer;
    const named = [{ network, txHash }, { custodianTransferId: 'transfer-2' }, transfer];
    const { receive, done } = world(
      undefined,
      named,
      undefined,
      fullTransfer({ custodianTransferId: 'one:transfer-2' }),
    );
    expect(await receive('{}')).toMatchObject({ body: { received: true } });
    const queued = ['enqueue', 'enqueue', 'enqueue'];
    expect(done).toEqual(['read', 'search custodian', 'find one:transfer-2', 'remember', 'remember', ...queued]);
  });

  test('decisions 12, notifications: that names a transaction has all its transfers looked up each time, and is no search', async () => {
    const { network, txHash } = transfer;
    const { receive, done } = world(undefined, { network, txHash }, undefined, undefined, [
      fullTransfer(),
      fullTransfer(),
    ]);
    await receive('{}');
    expect(done).toEqual(['read', 'remember', 'remember', 'enqueue', 'enqueue']);
  });

  test('decisions 12, notifications: that names only what the custodian does not know is taken, and nothing is queued', async () => {
    const { receive, done } = world(undefined, { custodianTransferId: 'transfer-2' });
    expect((await receive('{}')).body).toEqual({ received: false });
    expect(done).toEqual(['read', 'find one:transfer-2']);
  });

  const onSui = { network: 'SUI', txHash: '4'.repeat(44) } as const;
  const ofSui = { custodianTransferId: 'one:transfer-1', network: 'SUI' };
  test.each([
    ['an unknown network', { ...transfer, network: 'CARDANO' }, undefined, { ...ofSui, network: 'CARDANO' }],
    ['a network that the stage does not serve', { ...transfer, ...onSui }, undefined, ofSui],
    ['a transaction of such a network', onSui, undefined, { network: 'SUI' }],
    [
      'a transfer by its id, which is on such a network',
      { custodianTransferId: 'transfer-1' },
      fullTransfer({ ...ofSui, ...onSui }),
      ofSui,
    ],
    [
      'a transfer by its id, which is on an unknown network',
      { custodianTransferId: 'transfer-1' },
      { custodianTransferId: 'one:transfer-1', unreadableFields: 'network', unknownNetwork: 'CARDANO' },
      { ...ofSui, network: 'CARDANO' },
    ],
  ] as const)(
    'decisions 12, notifications: that names %s is taken and counted, and nothing is stored; what it names besides is',
    async (_, named, byId, fields) => {
      const lines = captureLogs();
      const { receive, done } = world(undefined, [named, transfer], undefined, byId);
      expect((await receive('{}')).body).toEqual({ received: true });
      expect(done.filter((step) => !step.startsWith('find'))).toEqual(['read', 'remember', 'enqueue']);
      expect(lines).toEqual([{ level: 'warn', code: 'ASSET_NOT_SERVED', fields }]);
    },
  );

  test.each([7, { of: 'ETHEREUM' }, '', 'a network '.repeat(9)])(
    'decisions 12, boundary: of which %j is the network is not readable',
    async (network) => {
      const lines = captureLogs();
      const { receive } = world(undefined, { ...transfer, network });
      expect((await expectApiError(() => receive('{}'))).code).toBe('SERVICE_UNAVAILABLE');
      expect(lines).toMatchObject([{ code: 'NOTIFICATION_UNREADABLE', fields: { fields: 'network' } }]);
    },
  );

  test('decisions 12, boundary: what cannot be read hides nothing else, and is no success', async () => {
    captureLogs();
    const { receive, done } = world(undefined, ['transfer', transfer]);
    expect((await expectApiError(() => receive('{}'))).code).toBe('SERVICE_UNAVAILABLE');
    expect(done).toEqual(['read', 'remember', 'enqueue']);
  });

  test('decisions 12, registry: is read by the custodian that its path names, without one by the first, and of no other', async () => {
    const idOf = async (path: { readonly custodian?: string }) => (await world().receive('{}', path)).ids;
    expect(await idOf({ custodian: 'two' })).toEqual({ custodianTransferId: 'two:transfer-1' });
    expect(await idOf({})).toEqual({ custodianTransferId: 'one:transfer-1' });
    expect((await expectApiError(() => idOf({ custodian: 'three' }))).status).toBe(404);
  });

  test('about anything but a transfer is accepted and ignored', async () => {
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
    captureLogs();
    const read = providerEndpoint(receiveCustodianNotificationContract, systemClock, async ({ bytes }) => ({
      body: { received: bytes().length > 0 },
    }));
    const sent = (bytes: number) => invoke(read, gatewayEvent({ body: 'x'.repeat(bytes), pathParameters: {} }));
    expect((await sent(256 * 1024)).statusCode).toBe(200);
    expect(problemOf(await sent(256 * 1024 + 1)).code).toBe('PAYLOAD_TOO_LARGE');
  });
});
