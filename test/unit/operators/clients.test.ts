import { describe, expect, test } from 'vitest';
import { newClientExample as profile } from '#infra/clients/new-client-example.ts';
import {
  approveClientContract,
  createClientContract,
  declareCertificateContract,
  endPreviousSecretContract,
  MOST_CERTIFICATES,
  rotateSecretContract,
  setLimitsContract,
  suspendClientContract,
  withdrawCertificateContract,
} from '#shared/clients/client-commands.ts';
import { readClientContract } from '#shared/clients/client-lookups.ts';
import { isLiveSecret } from '#shared/clients/client-secrets.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { STRANGER } from '#test/support/ids.ts';
import { operatorsWorld, REASON } from '#test/support/operators-world.ts';

async function created() {
  const world = operatorsWorld();
  const { body } = await world.change(createClientContract, profile);
  return { ...world, clientId: String(body.clientId), clientSecret: String(body.clientSecret) };
}

test('decisions 11, clients: a new client is not approved, and its secret is valid at once', async () => {
  const { findClient, clientId, clientSecret, clock } = await created();
  const client = await findClient(clientId);
  expect(client).toMatchObject({ complianceStatus: 'pending', status: 'pending' });
  expect(client && isLiveSecret(clientSecret, client, clock.now())).toBe(true);
});

test('interface 2.1 to 2.3: a client has the profile that was given, with ids and times of the service', async () => {
  const { look, clientId } = await created();
  const { status, body } = await look(readClientContract, { clientId });
  const registerDate = '2026-08-01 12:00:00.000000';
  const [contact] = profile.person.contactsData;
  expect([status, body]).toEqual([
    200,
    {
      ...profile,
      id: clientId,
      complianceStatus: 'pending',
      status: 'pending',
      person: {
        ...profile.person,
        id: clientId,
        registerDate,
        contactsData: [{ ...contact, personId: clientId, registerDate }],
      },
      liveSecrets: 1,
      resultIds: [],
      changes: [expect.objectContaining({ command: 'create-client', result: 'DONE', reason: REASON })],
    },
  ]);
});

test('a secret is in the answer that made it, and neither in a record, the audit nor the log', async () => {
  const lines = captureLogs();
  const { table, clientSecret, clientId, change } = await created();
  const { body } = await change(rotateSecretContract, { clientId });
  const kept = JSON.stringify([table('clients').items(), table('audit').items(), lines]);
  for (const secret of [clientSecret, String(body.clientSecret)]) {
    expect(secret).toHaveLength(43);
    expect(kept).not.toContain(secret);
  }
});

test('decisions 11, clients: approving and suspending publish the same events as compliance', async () => {
  const { change, clientId, events } = await created();
  const { body: approved } = await change(approveClientContract, { clientId });
  const { body: suspended } = await change(suspendClientContract, { clientId });
  expect(approved.eventId).not.toBe(suspended.eventId);
  const event = { source: 'payments.compliance', type: 'client.status' };
  expect(events).toEqual([
    { ...event, detail: { ...approved, clientId, complianceStatus: 'approved', status: 'approved' } },
    { ...event, detail: { ...suspended, clientId, status: 'suspended' } },
  ]);
});

test('a change whose event the bus does not accept is not made: the same command makes it later', async () => {
  const { change, clientId, refuseEvents } = await created();
  refuseEvents();
  expect((await change(suspendClientContract, { clientId })).status).toBe(503);
});

test('decisions 11, clients: after a rotation the secret before is valid for 24 hours', async () => {
  const { change, look, findClient, clientId, clientSecret, clock } = await created();
  const { body } = await change(rotateSecretContract, { clientId });
  expect(body).toEqual({
    clientId,
    clientSecret: expect.any(String),
    previousSecretUntil: '2026-08-02T12:00:00.000Z',
  });
  expect((await look(readClientContract, { clientId })).body).toMatchObject({
    liveSecrets: 2,
    previousSecretUntil: '2026-08-02T12:00:00.000Z',
  });
  clock.advance(24 * 3600);
  const client = await findClient(clientId);
  const isLive = (secret: string) => client && isLiveSecret(secret, client, clock.now());
  expect([isLive(clientSecret), isLive(String(body.clientSecret))]).toEqual([false, true]);
  expect((await look(readClientContract, { clientId })).body).not.toHaveProperty('previousSecretUntil');
});

test('decisions 11, clients: three secrets are valid at once; another one needs --now, or an end of those before', async () => {
  const { change, look, clientId } = await created();
  const rotate = async () => {
    const { status, body } = await change(rotateSecretContract, { clientId });
    return [status, JSON.stringify(body.errors)];
  };
  for (const _ of [2, 3]) expect(await rotate()).toEqual([200, undefined]);
  expect((await look(readClientContract, { clientId })).body).toMatchObject({ liveSecrets: 3 });
  expect(await rotate()).toEqual([422, expect.stringContaining('end-previous-secret')]);
  await change(endPreviousSecretContract, { clientId });
  expect(await rotate()).toEqual([200, undefined]);
});

test('decisions 11, clients: rotate-secret now ends all other secrets, two of which were valid', async () => {
  const { change, look, findClient, clientId, clientSecret, clock, table } = await created();
  const { body: second } = await change(rotateSecretContract, { clientId });
  const { status, body } = await change(rotateSecretContract, { clientId, now: true });
  expect([status, body]).toEqual([200, { clientId, clientSecret: expect.any(String) }]);
  const client = await findClient(clientId);
  const isLive = (secret: unknown) => client && isLiveSecret(String(secret), client, clock.now());
  expect([clientSecret, second.clientSecret, body.clientSecret].map(isLive)).toEqual([false, false, true]);
  const shown = (await look(readClientContract, { clientId })).body;
  expect(shown).toMatchObject({ liveSecrets: 1 });
  expect(shown).not.toHaveProperty('previousSecretUntil');
  const asked = table('audit')
    .items()
    .filter(({ record }) => record === 'ASKED');
  expect(asked.at(-1)).toMatchObject({ command: 'rotate-secret', arguments: { clientId, now: true } });
});

test('decisions 11, clients: the secret before ends now once the client uses the newest one, and a repeat changes nothing', async () => {
  const { change, look, findClient, clientId, clientSecret, clock, table } = await created();
  const { body } = await change(rotateSecretContract, { clientId });
  expect((await change(endPreviousSecretContract, { clientId })).body).toEqual({ clientId, liveSecrets: 1 });
  const client = await findClient(clientId);
  const isLive = (secret: unknown) => client && isLiveSecret(String(secret), client, clock.now());
  expect([clientSecret, body.clientSecret].map(isLive)).toEqual([false, true]);
  expect((await look(readClientContract, { clientId })).body).not.toHaveProperty('previousSecretUntil');
  const before = table('clients').find({ clientId });
  expect((await change(endPreviousSecretContract, { clientId })).status).toBe(200);
  expect(table('clients').find({ clientId })).toEqual(before);
});

test('a secret that is made while another one is ended stays valid', async () => {
  const { change, clientId, table, beforeNextWrite } = await created();
  const rotatedMeanwhile = { ...table('clients').find({ clientId }), secretDigests: ['next', 'first'] };
  beforeNextWrite('clients', () => table('clients').put(rotatedMeanwhile));
  expect((await change(endPreviousSecretContract, { clientId })).status).toBe(503);
  expect(table('clients').find({ clientId })).toEqual(rotatedMeanwhile);
});

test.each([approveClientContract, suspendClientContract, rotateSecretContract, endPreviousSecretContract])(
  'an unknown client is not found: $name',
  async (contract) => {
    const { change, events } = operatorsWorld();
    expect((await change(contract, { clientId: STRANGER })).status).toBe(404);
    expect(events).toEqual([]);
  },
);

test('decisions 1, production: certificates of a client are named and withdrawn, each once, and shown', async () => {
  const { change, look, clientId, findClient, table, beforeNextWrite } = await created();
  const [own, next] = ['CN=client.example', 'CN=next.client.example'];
  const subjects = async () => (await findClient(clientId))?.certificateSubjects;
  await change(declareCertificateContract, { clientId, subject: own });
  // Another operator changes the client at the same time.
  beforeNextWrite('clients', () => {
    const client = table('clients').find({ clientId });
    table('clients').put({ ...client, certificateSubjects: [own, 'CN=meanwhile'] });
  });
  const { body } = await change(declareCertificateContract, { clientId, subject: ` ${next} ` });
  expect(body).toEqual({ clientId, certificateSubjects: [own, 'CN=meanwhile', next] });
  expect((await change(declareCertificateContract, { clientId, subject: next })).body).toEqual(body);
  expect((await look(readClientContract, { clientId })).body.certificateSubjects).toEqual(body.certificateSubjects);
  await change(withdrawCertificateContract, { clientId, subject: own });
  expect(await subjects()).toEqual(['CN=meanwhile', next]);
  // A mistyped subject, and one that is withdrawn already.
  for (const subject of ['CN=Meanwhile', own]) {
    const { status, body: refused } = await change(withdrawCertificateContract, { clientId, subject });
    expect([status, refused.detail]).toEqual([404, expect.stringContaining('no certificate with this subject')]);
  }
  for (const subject of ['CN=meanwhile', next]) await change(withdrawCertificateContract, { clientId, subject });
  expect([await subjects(), (await look(readClientContract, { clientId })).body]).toEqual([
    [],
    expect.not.objectContaining({ certificateSubjects: expect.anything() }),
  ]);
});

test('a client has ten certificates at most', async () => {
  const { change, clientId } = await created();
  const declare = (number: number) => change(declareCertificateContract, { clientId, subject: `CN=client-${number}` });
  for (let number = 0; number < MOST_CERTIFICATES; number += 1) expect((await declare(number)).status).toBe(200);
  expect(await declare(MOST_CERTIFICATES)).toMatchObject({ status: 422, body: { errors: [{ code: 'TOO_MANY' }] } });
});

test.each([declareCertificateContract, withdrawCertificateContract])(
  'an unknown client has none: $name',
  async (contract) => {
    const { change, table } = operatorsWorld();
    expect((await change(contract, { clientId: STRANGER, subject: 'CN=none' })).status).toBe(404);
    expect(table('clients').items()).toEqual([]);
  },
);

test('an unknown client is not found by look-client either', async () => {
  expect((await operatorsWorld().look(readClientContract, { clientId: STRANGER })).status).toBe(404);
});

test('a profile that lacks something is refused with its name', async () => {
  const { tradeName: _, ...rest } = profile;
  const { status, body } = await operatorsWorld().change(createClientContract, rest);
  expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.tradeName' }]]);
});

test.each([
  'Thu, 17 May 2024 00:00:00 GMT',
  'Sat, 31 Feb 2024 00:00:00 GMT',
  'Xyz, 99 Abc 2024 99:99:99 GMT',
  '2024-05-17',
])('interface 2.1, constitutionDate: a day that does not exist is refused: %s', async (constitutionDate) => {
  const { status, body } = await operatorsWorld().change(createClientContract, { ...profile, constitutionDate });
  const error = { path: 'body.arguments.constitutionDate', code: 'INVALID_FORMAT' };
  expect([status, body.errors]).toEqual([422, [expect.objectContaining(error)]]);
});

describe('decisions 10, costly calls: an operator gives a client other limits of a day', () => {
  test('sets those that are given, and shows all; the audit has who and why', async () => {
    const { change, look, findClient, clientId, table } = await created();
    expect(await change(setLimitsContract, { clientId, offRamps: 1000 })).toEqual({
      status: 200,
      body: { clientId, offRamps: 1000, payIns: 100, reports: 150 },
    });
    await change(setLimitsContract, { clientId, reports: 0 });
    expect((await findClient(clientId))?.dailyLimits).toEqual({ offRamps: 1000, reports: 0 });
    const { body } = await look(readClientContract, { clientId });
    expect(body.dailyLimits).toEqual({ offRamps: 1000, reports: 0 });
    const asked = table('audit')
      .items()
      .filter(({ command }) => command === 'set-limits');
    expect(asked).toMatchObject([{ reason: REASON, about: clientId, arguments: { offRamps: 1000 } }, {}]);
  });

  test('at most ten times what its stage has', async () => {
    const { change, findClient, clientId } = await created();
    const { status, body } = await change(setLimitsContract, { clientId, offRamps: 1001, payIns: 1000, reports: 1501 });
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(body.errors).toMatchObject([{ path: 'body.arguments.offRamps' }, { path: 'body.arguments.reports' }]);
    expect(await change(setLimitsContract, { clientId, offRamps: -1 })).toMatchObject({ status: 422 });
    // Accepted, it would answer the current limits as if the command had set them.
    expect(await change(setLimitsContract, { clientId })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'REQUIRED' }] },
    });
    expect((await findClient(clientId))?.dailyLimits).toBeUndefined();
    expect(await change(setLimitsContract, { clientId: STRANGER, offRamps: 1 })).toMatchObject({ status: 404 });
  });

  test('two commands at the same time keep what each has set', async () => {
    const { change, findClient, clientId } = await created();
    await Promise.all([
      change(setLimitsContract, { clientId, offRamps: 1 }),
      change(setLimitsContract, { clientId, payIns: 2 }),
    ]);
    expect((await findClient(clientId))?.dailyLimits).toEqual({ offRamps: 1, payIns: 2 });
  });
});
