import { describe, expect, test } from 'vitest';
import {
  changeKey,
  eventIdOf,
  eventSubject,
  newServiceEvent,
  requireEventKey,
  withKey,
} from '#shared/events/service-event.ts';
import { newDelivery } from '#shared/webhooks/model/delivery.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, OPERATION, STRANGER, USER, WEBHOOK } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { DEPOSIT_ADDRESS, HASH, OTHER_HASH, offRamp } from '#test/support/off-ramp.ts';

describe('decisions 11, one look: an off-ramp is found', () => {
  test('by its id, its deposit address in any spelling, and the reference of its user', async () => {
    const { create, look } = lookUpWorld();
    await create(offRamp({ externalReference: 'order 17' }));
    const mixed = DEPOSIT_ADDRESS.replaceAll('a1', 'A1');
    const answers = [look(OPERATION.toUpperCase()), look(DEPOSIT_ADDRESS), look(` ${mixed} `), look('order 17', USER)];
    for (const answer of await Promise.all(answers)) expect(answer.operationId).toBe(OPERATION);
  });

  test('by the hash that funds it, before one that only declares it', async () => {
    const { put, table, look } = lookUpWorld();
    put(offRamp());
    table('hashes').put({ claim: `FUNDED#${HASH}`, operationId: OPERATION });
    table('hashes').put({ claim: `DECLARED#${HASH}`, operationId: STRANGER });
    table('hashes').put({ claim: `DECLARED#${OTHER_HASH}`, operationId: OPERATION });
    expect((await look(HASH.toUpperCase().replace('0X', '0x'))).operationId).toBe(OPERATION);
    expect((await look(OTHER_HASH)).operationId).toBe(OPERATION);
  });

  test('by the hash of a deposit to its address, whoever declares it and however many came before it', async () => {
    const { create, putDeposit, table, look } = lookUpWorld();
    await create(offRamp());
    table('hashes').put({ claim: `DECLARED#${HASH}`, operationId: STRANGER });
    putDeposit({ custodianTransferId: 'sim:1', txHash: HASH });
    putDeposit(
      { custodianTransferId: 'sim:2', txHash: OTHER_HASH },
      { operationId: undefined, ignoredReason: 'TOO_MANY', leftOutOf: OPERATION },
    );
    expect((await look(HASH)).operationId).toBe(OPERATION);
    expect((await look(OTHER_HASH)).operationId).toBe(OPERATION);
  });

  test('by its address and tag together, where the network has tags', async () => {
    const { create, look } = lookUpWorld();
    const address = 'GA7QNR3G2J2F4VC6DWH4ZJZMVO4IE7ITBH6TEEPD7ICFPCAIGZ7IZJXT';
    await create(offRamp({ network: 'STELLAR', address, addressTag: '17' }));
    expect((await look(`${address}#17`)).operationId).toBe(OPERATION);
    expect((await look(address)).code).toBe('OFF_RAMP_NOT_FOUND');
  });

  test('of several with one reference, the newest', async () => {
    const { put, look } = lookUpWorld();
    put(offRamp({ externalReference: 'order 17' }));
    put(offRamp({ operationId: STRANGER, externalReference: 'order 17', createdAt: '2026-08-01T12:10:00.000Z' }));
    expect((await look('order 17', USER)).operationId).toBe(STRANGER);
  });

  test('by its reference, whoever gave it and whatever it looks like, and each says which others have it', async () => {
    const { put, look } = lookUpWorld();
    for (const externalReference of ['order 17', WEBHOOK, 'o'.repeat(255)]) {
      const [older, newer] = ['2026-08-01T12:00:00.000Z', '2026-08-01T12:10:00.000Z'];
      put(offRamp({ externalReference, createdAt: older }));
      put(offRamp({ operationId: STRANGER, clientId: STRANGER, externalReference, createdAt: newer }));
      const found = await look(externalReference);
      expect([found.operationId, found.othersOfReference]).toEqual([
        STRANGER,
        [{ operationId: OPERATION, clientId: CLIENT, userId: USER, status: 'AWAITING_DEPOSIT', createdAt: older }],
      ]);
      expect((await look(OPERATION)).othersOfReference).toMatchObject([{ operationId: STRANGER, clientId: STRANGER }]);
    }
    put(offRamp({ externalReference: 'used once' }));
    expect(await look('used once')).not.toHaveProperty('othersOfReference');
  });

  test('by nothing that is none of these, and the answer says what it may be', async () => {
    const { look } = lookUpWorld();
    for (const text of [OPERATION, HASH, DEPOSIT_ADDRESS, 'order 17', '#']) {
      expect(await look(text)).toMatchObject({
        status: 404,
        code: 'OFF_RAMP_NOT_FOUND',
        detail: expect.stringMatching(/^No off-ramp has this id, hash, .*search-hash looks for one that .*\.$/),
      });
    }
    expect(await look('order 17', USER)).toMatchObject({ detail: 'No off-ramp of this user has this reference.' });
  });
});

describe('decisions 11, one look: an off-ramp has', () => {
  test('its events, and which of them the bus has not accepted', async () => {
    const { create, table, look } = lookUpWorld();
    await create(offRamp());
    const { events } = await look();
    const [event] = events;
    expect(events).toEqual([
      {
        occurredAt: offRamp().createdAt,
        type: 'ramp.operation.status_changed',
        status: 'AWAITING_DEPOSIT',
        sequence: 1,
        isPublished: false,
        eventId: expect.stringMatching(/^evt_/),
      },
    ]);
    const { unpublishedIn: _, ...published } = table('events').find(requireEventKey(event.eventId)) ?? {};
    table('events').put(published);
    expect((await look()).events).toMatchObject([{ isPublished: true }]);
  });

  test.each([
    ['COMPLETED', '12:33:00.000', 'NOBODY', false],
    ['COMPLETED', '12:33:00.001', 'SERVICE', true],
    ['COMPLETED', '13:30:00.001', 'FINANCE', true],
    ['PENDING', '13:30:00.001', 'PAYOUTS', true],
  ] as const)('an event that the bus does not take, which is no end yet: %s at %s', async (status, at, who, isTold) => {
    const { put, table, look } = lookUpWorld(`2026-08-01T${at}Z`);
    put(offRamp({ status }));
    const event = eventOf(eventNo(1), { occurredAt: '2026-08-01T12:30:00.000Z', body: 'no JSON' });
    table('events').put({ ...withKey(event), unpublishedIn: '0' });
    const { next } = await look();
    expect([next.who, next.what.includes(`the bus has not accepted the event ${eventNo(1)}`)]).toEqual([who, isTold]);
  });

  test('the last hundred of its events in the order of their times, however many deposits it has', async () => {
    const { put, table, look } = lookUpWorld();
    put(offRamp());
    const [own, types] = [
      eventSubject('operation', OPERATION),
      ['ramp.a.b', 'ramp.deposit.status_changed', 'ramp.z.b'],
    ];
    const ids = Array.from({ length: 1300 }, (_, at) => {
      const [type = '', depositId] = [
        types[at % 3],
        at % 3 === 1 ? WEBHOOK.replace(/^..../, `${1000 + (at % 150)}`) : undefined,
      ];
      return eventIdOf(changeKey(own, type, depositId, at + 1));
    });
    for (const [at, id] of ids.entries()) {
      const occurredAt = new Date(Date.parse('2026-08-01T12:00:00.000Z') + at * 1000).toISOString();
      table('events').put(withKey(eventOf(id, { occurredAt })));
    }
    const { events } = await look();
    expect(events).toEqual(ids.slice(-100).map((eventId) => expect.objectContaining({ eventId })));
  });

  test('the deliveries of its events, to whichever webhook of its client', async () => {
    const { create, table, look } = lookUpWorld();
    await create(offRamp());
    const { eventId } = (await look()).events[0];
    const webhook = {
      clientId: CLIENT,
      webhookId: WEBHOOK,
      userId: USER,
      url: 'https://client.example/hook',
      process: 'ramp' as const,
      method: 'POST' as const,
      status: true,
      createdAt: offRamp().createdAt,
      activeSince: offRamp().createdAt,
      sequence: 1,
      secrets: [],
    };
    table('webhooks').put(webhook);
    const event = newServiceEvent(
      { eventId, clientId: CLIENT, type: 'ramp.operation.status_changed', occurredAt: '' },
      {},
    );
    const delivery = newDelivery(event, webhook, 'SCHEDULED', new Date(offRamp().createdAt));
    table('deliveries').put({
      ...delivery,
      status: 'FAILED',
      reason: 'ENDPOINT_GONE',
      attempts: [[offRamp().createdAt, 'SCHEDULED', 410, 7]],
    });
    expect((await look()).deliveries).toMatchObject([
      {
        deliveryId: delivery.deliveryId,
        eventId,
        webhookId: WEBHOOK,
        status: 'FAILED',
        reason: 'ENDPOINT_GONE',
        attemptsLogged: 1,
      },
    ]);
  });
});
