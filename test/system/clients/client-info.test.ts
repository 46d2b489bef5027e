import { expect, test } from 'vitest';
import { getClientInfoContract } from '#shared/clients/client-contract.ts';
import { connectedAs } from '#test/support/connected.ts';
import { demoClient, send } from '#test/support/http-client.ts';

const info = async (name: string) => (await connectedAs(demoClient(name))('GET /api/infoClient')).body;

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TEXT = expect.any(String);

test('interface 2.1: the client has these fields and no others: no secret, no digest', async () => {
  expect(await info('demo')).toEqual({
    id: UUID,
    clientType: 'b2b',
    complianceStatus: 'approved',
    status: 'approved',
    tradeName: TEXT,
    constitutionCity: TEXT,
    constitutionState: TEXT,
    constitutionCountryId: 170,
    constitutionDate: expect.stringMatching(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/),
    person: expect.any(Object),
  });
});

test('decisions 1: a client that is not approved reads its own profile and approval status', async () => {
  const { clientId: id } = demoClient('not-approved');
  expect(await info('not-approved')).toMatchObject({ id, complianceStatus: 'pending', status: 'pending' });
});

test('interface 4.1: a call without a token is 401', async () => {
  expect((await send('GET', getClientInfoContract.path)).status).toBe(401);
});
