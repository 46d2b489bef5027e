import { describe, expect, test } from 'vitest';
import { getClientInfoContract } from '#shared/clients/client-contract.ts';
import { connectedAs } from '#test/support/connected.ts';
import { demoClient, send } from '#test/support/http-client.ts';

const info = async (name: string) => (await connectedAs(demoClient(name))('GET /api/infoClient')).body;

describe('interface 2.1: the client', () => {
  test.each([
    ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['clientType', 'b2b'],
    ['complianceStatus', 'approved'],
    ['status', 'approved'],
    ['tradeName', expect.any(String)],
    ['constitutionCity', expect.any(String)],
    ['constitutionState', expect.any(String)],
    ['constitutionCountryId', 170],
    ['constitutionDate', expect.stringMatching(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)],
    ['person', expect.any(Object)],
  ])('has its %s', async (field, value) => {
    expect(await info('demo')).toHaveProperty(field, value);
  });

  test('has these fields and no others: no secret, no digest', async () => {
    const client = await info('demo');
    expect(Object.keys(client).toSorted()).toEqual([
      'clientType',
      'complianceStatus',
      'constitutionCity',
      'constitutionCountryId',
      'constitutionDate',
      'constitutionState',
      'id',
      'person',
      'status',
      'tradeName',
    ]);
  });
});

describe('interface 2.2: the person', () => {
  test.each([
    ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['businessName', expect.any(String)],
    ['firstName', expect.any(String)],
    ['middleName', null],
    ['firstSurname', null],
    ['lastName', ''],
    ['identificationType', expect.any(String)],
    ['identificationNro', expect.any(String)],
    ['verificateDigit', expect.any(Number)],
    ['isJuridic', true],
    ['nationality', null],
    ['pep', null],
    ['registerDate', expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/)],
    ['contactsData', expect.any(Array)],
  ])('has its %s', async (field, value) => {
    expect((await info('demo')).person).toHaveProperty(field, value);
  });
});

describe('interface 2.3: the contacts', () => {
  test.each([
    ['personId', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['dataTypeContact', expect.stringMatching(/^(phone|email)$/)],
    ['dataValue', expect.any(String)],
    ['isVerified', true],
    ['city', null],
    ['postalCode', null],
    ['registerDate', expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/)],
  ])('has its %s', async (field, value) => {
    for (const contact of (await info('demo')).person.contactsData) expect(contact).toHaveProperty(field, value);
  });
});

test('decisions 1: a client that is not approved reads its own profile and approval status', async () => {
  expect(await info('not-approved')).toMatchObject({
    id: demoClient('not-approved').clientId,
    complianceStatus: 'pending',
    status: 'pending',
  });
});

test('interface 4.1: a call without a token is 401', async () => {
  expect((await send('GET', getClientInfoContract.path)).status).toBe(401);
});
