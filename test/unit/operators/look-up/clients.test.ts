import { describe, expect, test } from 'vitest';
import { createClientContract, suspendClientContract } from '#shared/clients/client-commands.ts';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { listClientsContract, listUsersAsOperatorContract } from '#shared/clients/client-lookups.ts';
import { addUserContract } from '#shared/clients/user-commands.ts';
import { listUnmatchedContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { newClient } from '#test/support/new-client.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { opsWorld } from '#test/support/ops-world.ts';

const idOf = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

function world(...names: readonly (readonly [tradeName: string, businessName: string])[]) {
  const made = operatorsWorld();
  for (const [number, [tradeName, businessName]] of names.entries()) {
    const profile = { ...newClient(), tradeName, person: { ...newClient().person, businessName } };
    const record = { clientId: idOf(number), complianceStatus: 'approved', status: 'approved', secretDigests: [] };
    made.table('clients').put({ ...record, profile, ...directoryEntry(profile) });
  }
  const names_ = async (query: Readonly<Record<string, string>>) =>
    (await made.look(listClientsContract, query)).body.items.map(({ tradeName }: { tradeName: string }) => tradeName);
  return { ...made, namesBy: names_ };
}

describe('decisions 11, what callers say: clients', () => {
  const known = world(
    ['Ñandú Pagos', 'Inversiones del Río S.A.S.'],
    ['zeta', 'Zeta Exchange Ltda.'],
    ['Éxito  Wallet', 'Almacenes\u00a0Éxito'],
    ['Pa\u200bgos\u001b[31m', 'Rojo S.A.'],
  );

  test('are all listed by their names, with whether they may operate', async () => {
    expect(await known.namesBy({})).toEqual(['Éxito  Wallet', 'Ñandú Pagos', 'Pa\u200bgos\u001b[31m', 'zeta']);
    expect((await known.look(listClientsContract, { name: 'zeta' })).body).toEqual({
      items: [
        {
          clientId: idOf(1),
          tradeName: 'zeta',
          businessName: 'Zeta Exchange Ltda.',
          complianceStatus: 'approved',
          status: 'approved',
        },
      ],
    });
  });

  test.each([
    ['nandu', ['Ñandú Pagos']],
    ['ÑANDÚ', ['Ñandú Pagos']],
    ['rio inversiones', ['Ñandú Pagos']],
    ['exchange', ['zeta']],
    ['exito wallet', ['Éxito  Wallet']],
    ['almacenes exito', ['Éxito  Wallet']],
    ['pagos', ['Ñandú Pagos', 'Pa\u200bgos\u001b[31m']],
    ['none of these', []],
    ['%', []],
    ['.*', []],
    ['', ['Éxito  Wallet', 'Ñandú Pagos', 'Pa\u200bgos\u001b[31m', 'zeta']],
  ])('are found by a part of a name, whatever its accents, case and spaces: %s', async (name, found) => {
    expect(await known.namesBy({ name })).toEqual(found);
  });

  test('have names as long as they like: one that no index could take is made and found', async () => {
    const made = operatorsWorld();
    const tradeName = 'ﷺ'.repeat(255);
    const person = { ...newClient().person, businessName: '字'.repeat(255) };
    expect((await made.change(createClientContract, { ...newClient(), tradeName, person })).status).toBe(200);
    const { searchName } = directoryEntry({ tradeName: '字'.repeat(255), person });
    // DynamoDB's limit for a sort key, in bytes.
    expect(Buffer.byteLength(searchName)).toBeLessThanOrEqual(1024);
    expect((await made.look(listClientsContract, {})).body.items).toHaveLength(1);
  });

  test('are listed page by page, ten thousand of them, none left out or twice', async () => {
    const many = world(
      ...Array.from({ length: 10_000 }, (_, number) => [`Client ${number % 7}`, `Same ${number % 3}`] as const),
    );
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { body } = await many.look(listClientsContract, {
        name: 'client 3',
        ...(after !== undefined && { after }),
      });
      seen.push(...body.items.map(({ clientId }: { clientId: string }) => clientId));
      after = body.nextAfter;
    } while (after !== undefined);
    const wanted = Array.from({ length: 10_000 }, (_, number) => number).filter((number) => number % 7 === 3);
    expect([seen.length, new Set(seen).size]).toEqual([wanted.length, wanted.length]);
  });

  test('refuse a cursor that is no client', async () => {
    const { status, body } = await known.look(listClientsContract, { after: STRANGER });
    expect([status, body.errors]).toMatchObject([422, [{ path: 'query.after' }]]);
  });

  test('are listed by the command line with a part of a name, and no control character moves its cursor', async () => {
    const made = opsWorld();
    await made.change(createClientContract, { ...newClient(), tradeName: 'Pa\u001b[31mgos' });
    const { status, printed } = await made.ops(['clients', 'pagos']);
    expect(status).toBe(0);
    expect(printed).toContain('Pa\\u{1b}[31mgos');
    expect(printed).not.toContain('\u001b');
    expect((await made.ops(['clients'])).printed).toBe(printed);
    expect((await made.ops(['clients', 'a', 'b'])).status).toBe(2);
  });

  test('are looked up by a name that one client alone has; of several each is named with its id, and none is taken', async () => {
    const { change, ops } = opsWorld();
    const { clientId } = (await change(createClientContract, { ...newClient(), tradeName: 'Ñandú Pagos' })).body;
    const other = newClient();
    const person = { ...other.person, identificationNro: '9009876543' };
    const second = (await change(createClientContract, { ...other, person, tradeName: 'Zeta Pagos' })).body;
    for (const typed of [
      ['users', 'nandu'],
      ['webhooks', 'nandu'],
      ['report-offramps', '--client', 'nandu'],
    ]) {
      const { status, said } = await ops(typed);
      expect([status, said]).toEqual([0, `${clientId}  Ñandú Pagos\n`]);
    }
    const several = await ops(['users', 'pagos']);
    expect([several.status, several.printed]).toEqual([2, '']);
    expect(several.said).toContain(`${clientId} Ñandú Pagos\n  ${second.clientId} Zeta Pagos\n`);
    expect(await ops(['users', 'none'])).toMatchObject({ status: 1, said: 'No client has "none" in its names.\n' });
  });
});

describe('decisions 11, what callers say: the users of a client', () => {
  test('are listed by their ids, with their names, page by page', async () => {
    const { change, look } = operatorsWorld();
    const { clientId } = (await change(createClientContract, newClient())).body;
    expect((await look(listUsersAsOperatorContract, { clientId })).body).toEqual({ items: [] });
    const made = new Set<string>();
    for (let number = 0; number < 60; number += 1) {
      made.add((await change(addUserContract, { clientId, payer: { fullName: `User ${number}` } })).body.userId);
    }
    const first = (await look(listUsersAsOperatorContract, { clientId })).body;
    const rest = (await look(listUsersAsOperatorContract, { clientId, after: first.nextAfter })).body;
    expect([first.items.length, rest.items.length, rest.nextAfter]).toEqual([50, 10, undefined]);
    expect(new Set([...first.items, ...rest.items].map(({ userId }) => userId))).toEqual(made);
    expect(first.items[0].fullName).toMatch(/^User \d+$/);
  });

  test('of an unknown client are 404', async () => {
    expect((await operatorsWorld().look(listUsersAsOperatorContract, { clientId: STRANGER })).status).toBe(404);
  });
});

test('decisions 11, lists: a row has the name of its client, too', async () => {
  const { putDeposit, lookAt, table } = lookUpWorld();
  const profile = newClient();
  table('clients').put({ clientId: CLIENT, complianceStatus: '', status: '', secretDigests: [], profile });
  const unmatched = { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT } as const;
  putDeposit({ custodianTransferId: 'sim:1' }, { ...unmatched, clientId: CLIENT });
  putDeposit({ custodianTransferId: 'sim:2' }, { ...unmatched, clientId: STRANGER });
  putDeposit({ custodianTransferId: 'sim:3' }, unmatched);
  const { items } = (await lookAt(listUnmatchedContract, {})).body;
  const named = items.map((item: Record<string, unknown>) => [item['custodianTransferId'], item['client']]);
  expect(named.toSorted()).toEqual([
    ['sim:1', 'Example Pagos'],
    ['sim:2', undefined],
    ['sim:3', undefined],
  ]);
});

test('decisions 11, who changed it: a refused change leaves no personal data in the audit', async () => {
  const { change, table } = operatorsWorld();
  await change(createClientContract, newClient('900123456'));
  await change(createClientContract, newClient('900123456'));
  await change(suspendClientContract, { clientId: STRANGER });
  expect(JSON.stringify(table('audit').items())).not.toMatch(/900123456|operations@client/);
});
