import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { getClientInfo } from '#functions/clients/get-client-info/get-client-info.ts';
import { demoEmail, demoProfile } from '#infra/local/demo-profile.ts';
import { getClientInfoContract } from '#shared/clients/client-contract.ts';
import { createFindClientProfile } from '#shared/clients/client-repository.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { CLIENT } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';

type Client = z.infer<typeof getClientInfoContract.success.body>;

const contact = demoEmail(CLIENT);
const profile = demoProfile('Unit', CLIENT);
const person = { ...profile.person, contactsData: [contact] };

const client: Client = { ...profile, id: CLIENT, complianceStatus: 'approved', status: 'approved', person };

/** The answer for a client of the table. */
async function answered(found: Client) {
  const { body } = await getClientInfo(async () => found)(routeCall(getClientInfoContract));
  return getClientInfoContract.success.body.parse(body);
}

const withPerson = (change: Record<string, unknown>) => answered({ ...client, person: { ...person, ...change } });
const withContact = (change: Record<string, unknown>) => withPerson({ contactsData: [{ ...contact, ...change }] });

test('interface 2.1 to 2.3: everything that is registered of a client is answered as it is', async () => {
  expect(await answered(client)).toEqual(client);
});

test('the record of a client that nobody changed since it was made is read, whatever it says of changes', async () => {
  const { id: _, complianceStatus, status, ...profile } = client;
  const Item = { clientId: CLIENT, complianceStatus, status, profile, sequence: null, statusAt: null };
  const { client: dynamo } = fakeDynamo(async () => ({ Item }));
  expect(await createFindClientProfile(dynamo, 'clients')(CLIENT)).toEqual(client);
});

describe('interface 2.2: a field of the person', () => {
  test.each([
    ['middleName', 'Middle'],
    ['firstSurname', 'Surname'],
    ['nationality', 'CO'],
    ['pep', true],
  ])('%s may be null, or a value', async (field, value) => {
    expect((await withPerson({ [field]: value })).person).toHaveProperty(field, value);
    expect((await withPerson({ [field]: null })).person).toHaveProperty(field, null);
  });
});

describe('interface 2.3: a field of a contact', () => {
  test.each([
    ['city', 'Bogotá'],
    ['postalCode', '110111'],
  ])('%s may be null, or a value', async (field, value) => {
    expect((await withContact({ [field]: value })).person.contactsData[0]).toHaveProperty(field, value);
    expect((await withContact({ [field]: null })).person.contactsData[0]).toHaveProperty(field, null);
  });
});

describe('interface 2.1 to 2.3: every other field', () => {
  const nullable = ['middleName', 'firstSurname', 'nationality', 'pep', 'city', 'postalCode'];
  const always = (fields: object) => Object.keys(fields).filter((field) => !nullable.includes(field));

  test.each(always(client))('%s of the client is never null and never missing', async (field) => {
    await expect(answered({ ...client, [field]: null })).rejects.toThrow();
    await expect(answered({ ...client, [field]: undefined })).rejects.toThrow();
  });

  test.each(always(person))('%s of the person is never null and never missing', async (field) => {
    await expect(withPerson({ [field]: null })).rejects.toThrow();
    await expect(withPerson({ [field]: undefined })).rejects.toThrow();
  });

  test.each(always(contact))('%s of a contact is never null and never missing', async (field) => {
    await expect(withContact({ [field]: null })).rejects.toThrow();
    await expect(withContact({ [field]: undefined })).rejects.toThrow();
  });
});

describe('interface 2.1 to 2.3: the formats of dates', () => {
  test.each(['2020-01-06', 'Mon, 6 Jan 2020 00:00:00 GMT', '2020-01-06T00:00:00Z'])(
    'constitutionDate is never %s',
    async (constitutionDate) => {
      await expect(answered({ ...client, constitutionDate })).rejects.toThrow();
    },
  );

  test.each(['2026-01-15', '2026-01-15 09:30:00', '2026-01-15T09:30:00.000001Z', '2026-01-15 09:30:00.001'])(
    'registerDate is never %s',
    async (wrong) => {
      await expect(withPerson({ registerDate: wrong })).rejects.toThrow();
      await expect(withContact({ registerDate: wrong })).rejects.toThrow();
    },
  );
});
