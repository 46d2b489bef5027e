import { describe, expect, test } from 'vitest';
import { createClientContract } from '#shared/clients/client-commands.ts';
import { comparableNumber, identificationClaim } from '#shared/clients/client-onboarding.ts';
import { CLIENT } from '#test/support/ids.ts';
import { newClient } from '#test/support/new-client.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { opsWorld } from '#test/support/ops-world.ts';

const clientsIn = ({ table }: Pick<ReturnType<typeof operatorsWorld>, 'table'>) =>
  table('clients')
    .items()
    .filter((item) => 'secretDigests' in item);

describe('decisions 11, what callers say: a second client with a known identification number', () => {
  test('is refused, naming the first, and gets no key', async () => {
    const world = operatorsWorld();
    const { clientId } = (await world.change(createClientContract, newClient('900123456'))).body;
    const { status, body } = await world.change(createClientContract, newClient('900123456'));
    expect([status, body.errors]).toMatchObject([
      422,
      [
        {
          path: 'body.arguments.person.identificationNro',
          code: 'ALREADY_REGISTERED',
          message: expect.stringContaining(`belongs to the client ${clientId}`),
        },
      ],
    ]);
    expect([clientsIn(world).length, world.keys]).toEqual([1, [clientId]]);
  });

  test('is refused when the first is made at the same moment', async () => {
    const world = operatorsWorld();
    const profile = newClient('900123456');
    world.beforeNextWrite('clients', () => world.table('clients').put(identificationClaim(profile.person, CLIENT)));
    const { status, body } = await world.change(createClientContract, profile);
    expect([status, body.errors]).toMatchObject([422, [{ message: expect.stringContaining(CLIENT) }]]);
    expect(clientsIn(world)).toEqual([]);
  });

  test('whose first answer was lost is refused by the command line with the id of the client that exists, and what to do', async () => {
    const world = opsWorld();
    const files = { 'new.json': JSON.stringify(newClient('900123456')) };
    const typed = ['create-client', 'new.json', '--reason', 'A contract'];
    const loses: typeof fetch = async (...call) => {
      await world.fetch(...call);
      throw new TypeError('fetch failed');
    };
    expect((await world.ops(typed, { files, fetch: loses })).status).toBe(4);
    const [first] = clientsIn(world);
    const { status, said } = await world.ops(typed, { files });
    expect(status).toBe(1);
    expect(said).toContain(`belongs to the client ${first?.['clientId']}`);
    expect(said).toContain('rotate-secret');
  });

  test('whose creation broke off before it was written is made', async () => {
    const world = operatorsWorld();
    world.refuseKeys();
    expect((await world.change(createClientContract, newClient('900123456'))).status).toBe(503);
    expect(world.table('clients').items()).toEqual([]);
  });

  test.each(['900.123.456', ' 900123456 ', '900123456-8', '９００１２３４５６', '900 123 456'])(
    'is recognised however the number is written: %s',
    (identificationNro) => {
      expect(comparableNumber({ identificationNro, verificateDigit: 8 })).toBe('900123456');
    },
  );

  test('is another client when the number has other digits or letters', () => {
    const numbers = ['900123456', '9001234568', '0900123456', 'AB-900123456', '900123456-7'];
    const compared = numbers.map((identificationNro) => comparableNumber({ identificationNro, verificateDigit: 8 }));
    expect(new Set(compared).size).toBe(numbers.length);
  });

  test.each(['', ' - ', '0'.repeat(65)])('is not made without a readable number: "%s"', async (number) => {
    const { status, body } = await operatorsWorld().change(createClientContract, newClient(number));
    expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.person.identificationNro' }]]);
  });
});
