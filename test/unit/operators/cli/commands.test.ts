import { describe, expect, test } from 'vitest';
import { parametersOf } from '#infra/cli/parameters.ts';
import { newClientExample } from '#infra/clients/new-client-example.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { createClientContract } from '#shared/clients/client-commands.ts';
import { storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { HASH, transfer } from '#test/support/off-ramp.ts';
import { opsWorld } from '#test/support/ops-world.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';

const address = '0x92fC3442EAd6457E404D7E8eB5E4DC332F86f7b0';

function world() {
  const made = opsWorld();
  made.table('clients').put({ clientId: CLIENT, complianceStatus: 'approved', status: 'approved', secretDigests: [] });
  made.table('users').put({ userId: USER, clientId: CLIENT, phone: '3110000000', payer: { fullName: 'Before' } });
  return made;
}

describe('npm run ops', () => {
  test('has a command for every route of operators, whose help shows an example', async () => {
    const { ops } = world();
    const { printed } = await ops(['--help']);
    expect(printed).toContain('130  interrupted: a change that was already sent may have been done');
    for (const { contract } of operatorRoutes) {
      expect(printed).toContain(`\n  ${contract.name} `);
      const { status, printed: help } = await ops([contract.name, '--help']);
      expect([status, help]).toEqual([0, expect.stringMatching(new RegExp(`npm run ops -- ${contract.name}[ \n]`))]);
    }
  });

  test('says how long a reason is', async () => {
    expect((await world().ops(['resend', '--help'])).printed).toMatch(/--reason <reason> .*3 to 500\s+characters/s);
  });

  test.each(operatorRoutes)('$contract.name takes its own example', ({ contract, example }) => {
    const wanted = contract.method === 'GET' ? contract.query : contract.body;
    const given = contract.method === 'GET' ? example : { arguments: example, reason: 'An example' };
    expect(wanted.safeParse(given).error).toBeUndefined();
  });

  test.each(operatorRoutes)(
    '$contract.name takes each value by one name, and none by that of another option',
    ({ contract }) => {
      const { required, optional } = parametersOf(contract);
      const ofChanges = contract.method === 'GET' ? ['csv'] : ['yes', 'reason', 'from'];
      const own = ['stage', 'profile', 'port', 'as', 'json', ...ofChanges, 'help', 'version'];
      const names = [...own, ...[...required, ...optional].map(({ name }) => name)];
      expect(names).toEqual([...new Set(names)]);
    },
  );

  test('prints an answer as a table, and as JSON for programs', async () => {
    const { ops } = world();
    const people = await ops(['user', USER]);
    expect(people).toMatchObject({ status: 0, said: '' });
    expect(people.printed).toMatch(
      new RegExp(
        `^userId {4}${USER}\nclientId {2}${CLIENT}\nwallets {3}none\nchanges {3}none\n\npayer\n {2}fullName {2}Before\n`,
      ),
    );
    const programs = await ops(['user', USER, '--json']);
    expect(JSON.parse(programs.printed)).toMatchObject({ userId: USER, payer: { fullName: 'Before' }, wallets: [] });
  });

  test.each([
    ['unmatched', 'nextSince', 'since'],
    ['clients', 'nextAfter', 'after'],
  ])('says after a page of %s that there are more, and how to get them', async (list, name, option) => {
    const { ops } = world();
    const answers = async () => Response.json({ items: [], [name]: '2026-08-01T11:00:00.000Z' });
    const { said } = await ops([list], { fetch: answers });
    expect(said).toBe(`There are more: repeat the command with --${option} 2026-08-01T11:00:00.000Z\n`);
    expect((await ops([list])).said).toBe('');
  });

  test('sends each option in its place of the body, with the reason, and says where the audit has it', async () => {
    const { ops, table } = world();
    const typed = ['update-user', USER, '--full-name', 'After', '--reason', 'A new contract', '--yes'];
    const { status, printed, said } = await ops([...typed, '--json']);
    expect(status).toBe(0);
    expect(table('users').find({ userId: USER })).toMatchObject({ phone: '3110000000', payer: { fullName: 'After' } });
    const { auditId } = JSON.parse(printed);
    expect(table('audit').items()).toContainEqual(expect.objectContaining({ auditId, reason: 'A new contract' }));
    expect(said).toBe('');
    expect((await ops(typed)).said).toMatch(/^Done\. Audit id: [0-9a-f-]{36}\.\n$/);
  });

  test('says that a change that takes two persons is not done yet, and shows it to the person who is to confirm it', async () => {
    const { ops, table } = world();
    const settlementMismatch = { amount: '300000', currency: 'COP', at: '2026-08-01T11:00:00.000Z' };
    table('payins').put(payinItem(payinOf({ settlementMismatch, mismatchedAt: settlementMismatch.at }), undefined));
    const { status, said } = await ops(['end-payin', PAYIN, '300000', 'kept', '--reason', 'Case 17', '--yes']);
    const [, proposalId = ''] =
      /^NOT done yet: .* until 2026-08-02T12:00:00\.000Z to run: confirm-payin (\S+)\. Audit/.exec(said) ?? [];
    expect([status, table('proposals').items().length]).toEqual([0, 1]);
    expect((await ops(['proposals'])).printed).toMatch(/end-payin.*Case 17.*paidAmount +300000\n.*outcome +kept/s);
    let shown = '';
    const agrees = async (question: string) => {
      shown = question;
      return true;
    };
    const typed = ['confirm-payin', proposalId, '--reason', 'I have seen it'];
    const confirmed = await ops(typed, { person: { agrees } });
    expect(shown).toContain('You are the second person');
    expect(confirmed.said).toMatch(/Case 17.*You have proposed it yourself/s);
    expect(confirmed.status).toBe(1);
  });

  test('shows what is sent back, and where to, before it is approved, and then that it waits for another approval', async () => {
    const { ops, table } = world();
    const at = '2026-08-01T11:00:00.000Z';
    table('deposits').put({
      ...{ custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH, sequence: 2 },
      ...{ firstNotifiedAt: at, lastNotifiedAt: at, transfer: storedTransfer(transfer()) },
      return: {
        ...{ amount: '99', fee: '1', assetId: 'ETHEREUM:USDC', from: 'treasury', address },
        ...{ requestedAt: at, requestedBy: 'client 1', approvals: [], approversNeeded: 2 },
      },
    });
    const typed = ['approve-return', 'transfer-1', '--reason', 'Case 17'];
    const declined = await ops(typed, { person: { agrees: async () => false } });
    expect(declined.said).toMatch(
      new RegExp(`return\\n.* amount +99\\n.* address +${address}\\n.*Nothing was done`, 's'),
    );
    const { status, said } = await ops([...typed, '--yes']);
    expect([status, said]).toEqual([
      0,
      expect.stringMatching(/^It is not sent yet: it has 1 of 2 approvals\. .* Audit id: /),
    ]);
  });

  test('takes from a file a value that is too long for a line or too secret for the history of a shell', async () => {
    const { ops, table } = world();
    const files = {
      'new.json': JSON.stringify(newClientExample),
      '-': JSON.stringify({ payer: { fullName: 'Typed' } }),
    };
    const made = await ops(['create-client', 'new.json', '--reason', 'A contract', '--json'], { files });
    const { clientId } = JSON.parse(made.printed);
    expect(table('clients').find({ clientId })).toMatchObject({ profile: { tradeName: newClientExample.tradeName } });
    await ops(['update-user', USER, '--from', '-', '--reason', 'A contract', '--yes'], { files });
    expect(table('users').find({ userId: USER })).toMatchObject({ payer: { fullName: 'Typed' } });
  });

  test('decisions 11, users and wallets: shows what is changed before and after, asks, and sends what was seen', async () => {
    const { ops, table } = world();
    const asked: string[] = [];
    const agrees = async (question: string) => asked.push(question) > 0;
    const typed = ['update-user', USER, '--full-name', 'After', '--email', 'a@example.com', '--reason', 'A contract'];
    const { said, status, printed } = await ops(typed, { person: { agrees } });
    expect(said).toMatch(
      /On the test:\nuserId {2}\S+\nreason {2}A contract\n\nfields\n {2}field +before +after\n {2}fullName +Before +After\n {2}email +– +a@example\.com\n/,
    );
    expect(asked).toEqual(['Rails get the new values from the next pay-in on. Change them?']);
    expect([status, printed]).toEqual([0, expect.stringMatching(/before\n {2}fullName {2}Before\n/)]);
    expect(table('users').find({ userId: USER })).toMatchObject({
      phone: '3110000000',
      payer: { fullName: 'After', email: 'a@example.com' },
    });
    expect(table('audit').items()).toContainEqual(
      expect.objectContaining({ arguments: { userId: USER, payer: ['fullName', 'email'], before: '(left out)' } }),
    );
  });

  test('decisions 11, users and wallets: overwrites no change that was made while it asked', async () => {
    const { ops, table } = world();
    const agrees = async () => {
      table('users').put({ userId: USER, clientId: CLIENT, payer: { fullName: 'Meanwhile' } });
      return true;
    };
    const typed = ['update-user', USER, '--full-name', 'After', '--reason', 'A contract'];
    const { status, said } = await ops(typed, { person: { agrees } });
    expect(status).toBe(1);
    expect(said).toContain('before.fullName was changed since you saw it: look at the user again');
    expect(table('users').find({ userId: USER })).toMatchObject({ payer: { fullName: 'Meanwhile' } });
  });

  test('puts a secret into a new file in place of the terminal', async () => {
    const { ops } = world();
    const typed = ['rotate-secret', CLIENT, '--reason', 'It leaked', '--yes', '--secret-to', 'secret.txt'];
    const { printed, said, secretFiles, status } = await ops(typed);
    const secret = secretFiles.get('secret.txt') ?? '';
    expect([status, secret]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)]);
    expect(printed).toMatch(/clientSecretIn +secret\.txt/);
    expect(printed + said).not.toContain(secret.trim());
  });

  test('makes no secret when the file cannot be written, and no file when the secret was not made', async () => {
    const { ops } = world();
    const typed = ['rotate-secret', CLIENT, '--reason', 'It leaked', '--yes', '--secret-to', 'secret.txt'];
    const there = await ops(typed, { files: { 'secret.txt': '' } });
    expect([there.status, there.calls]).toEqual([2, 0]);
    expect(there.said).toContain('secret.txt already exists or cannot be created. Nothing was done.');
    const refused = await ops(typed.map((one) => (one === CLIENT ? USER : one)));
    expect([refused.status, [...refused.secretFiles]]).toEqual([1, []]);
  });

  test('prints a secret once, among the answer, and nowhere else', async () => {
    const { ops, table } = world();
    const { printed, said } = await ops(['rotate-secret', CLIENT, '--reason', 'It leaked', '--yes', '--json']);
    const { clientSecret } = JSON.parse(printed);
    expect(clientSecret).toHaveLength(43);
    expect(printed.split(clientSecret)).toHaveLength(2);
    expect(said).toBe('');
    expect(JSON.stringify([table('audit').items(), table('clients').items()])).not.toContain(clientSecret);
  });
});

describe('npm run ops, for a suspension or an approval,', () => {
  /** The command line of a service that applies compliance's event once the client was read `after` times. */
  async function applied(after: number, apply: (eventId: string) => object) {
    const over = world();
    const { table, fetch, events } = over;
    const { clientId } = (await over.change(createClientContract, newClientExample)).body;
    const put = (differing: object) =>
      table('clients').put({ clientId, ...table('clients').find({ clientId }), ...differing });
    put({ complianceStatus: 'approved', status: 'approved' });
    let looks = 0;
    const applying: typeof globalThis.fetch = async (...call) => {
      const isLook = String(call[0]).includes('/operations/client?');
      if (isLook) looks += 1;
      const eventId = String(events.at(-1)?.detail['eventId']);
      if (isLook && looks > after) put(apply(eventId));
      return await fetch(...call);
    };
    const run = (command: string, ...more: string[]) =>
      over.ops([command, clientId, '--reason', 'A leak', '--yes', ...more], { fetch: applying });
    return { ...over, run, clientId, looks: () => looks };
  }

  test('says that it is done only after it has read so, and shows what it read', async () => {
    const { run, looks, clock, clientId } = await applied(3, (eventId) => ({
      status: 'suspended',
      resultIds: [eventId],
    }));
    const began = clock.now().getTime();
    const { status, said, printed } = await run('suspend-client');
    expect([status, looks(), clock.now().getTime() - began]).toEqual([0, 4, 1500]);
    expect(said).toMatch(
      /^Read back: the client's compliance status is approved, its status suspended\.\nDone\. Audit id: .*\.\n$/,
    );
    expect(printed).toContain(clientId);
  });

  test('shows the words of compliance, which cannot move the cursor', async () => {
    const { run } = await applied(0, (eventId) => ({ status: '\u001b[2Kok', resultIds: [eventId] }));
    expect((await run('suspend-client')).said).toContain('its status \\u{1b}[2Kok.');
  });

  test.each([
    ['nobody applies it', () => ({})],
    ['something else has approved it again', (eventId: string) => ({ resultIds: ['other', eventId] })],
    [
      'it was suspended already, by something else, which an approval on its way may end',
      () => ({ status: 'suspended', resultIds: ['other'] }),
    ],
  ])('says after ten seconds that it has not taken effect, with status 1: %s', async (_, apply) => {
    const { run, clock } = await applied(0, apply);
    const began = clock.now().getTime();
    const { status, said, printed } = await run('suspend-client');
    expect([status, printed, clock.now().getTime() - began]).toEqual([1, '', 10_000]);
    expect(said).toMatch(
      /^It has NOT taken effect after ten seconds: the client's compliance status is approved, its status /,
    );
    expect(said).toMatch(/Audit id: [0-9a-f-]{36}\.\n$/);
    expect(said).not.toContain('Done');
  });

  test('says that it does not know when the look-up is refused or fails, with status 4', async () => {
    const { run } = await applied(0, () => {
      throw new Error('down');
    });
    const { status, said } = await run('suspend-client');
    expect([status, said]).toEqual([
      4,
      expect.stringMatching(/^It was requested, but it is unknown whether it has taken effect: .*Audit id:/),
    ]);
  });
});

describe('npm run ops, before it does something irreversible,', () => {
  const typed = ['declare-wallet', USER, 'POLYGON', address, '--reason', 'A contract'];

  test('asks, and shows the result as it will be', async () => {
    const { ops, table } = world();
    const asked: string[] = [];
    const agrees = async (question: string) => asked.push(question) > 0;
    const { status, said } = await ops(typed, { person: { agrees } });
    expect([status, asked]).toEqual([0, [expect.stringContaining('Declare it?')]]);
    expect(said).toContain(address.toLowerCase());
    expect(table('wallets').items()).toMatchObject([{ userId: USER, address: address.toLowerCase() }]);
  });

  test('asks what a flag means: rotate-secret --now ends what rotate-secret leaves', async () => {
    const { ops } = world();
    const asked: string[] = [];
    const agrees = async (question: string) => asked.push(question) > 0;
    const rotation = ['rotate-secret', CLIENT, '--reason', 'It leaked', '--json'];
    const now = await ops([...rotation, '--now'], { person: { agrees } });
    const later = await ops(rotation, { person: { agrees } });
    expect(asked).toEqual([expect.stringContaining('ends now'), expect.stringContaining('stay so for 24 more hours')]);
    expect([now, later].map(({ printed }) => 'previousSecretUntil' in JSON.parse(printed))).toEqual([false, true]);
  });

  test('takes a number, as in set-limits', async () => {
    const { ops } = world();
    const limits = ['set-limits', CLIENT, '--off-ramps', '7', '--reason', 'Contract 17', '--yes', '--json'];
    expect(JSON.parse((await ops(limits)).printed)).toMatchObject({ clientId: CLIENT, offRamps: 7 });
  });

  test('asks before a wallet is withdrawn and before dead letters are worked on again', () => {
    const asking = operatorRoutes.flatMap(({ contract, question }) => (question === undefined ? [] : contract.name));
    expect(asking).toEqual(expect.arrayContaining(['withdraw-wallet', 'redrive-dead-letters']));
  });

  test('sends nothing where nobody can be asked, unless --yes is given', async () => {
    const { ops } = world();
    const { status, calls, said } = await ops(typed);
    expect([status, calls]).toEqual([2, 0]);
    expect(said).toContain('--yes');
    expect((await ops([...typed, '--yes'])).status).toBe(0);
  });

  test('takes --yes for a change that asks nothing, so that a script has it everywhere', async () => {
    const { status, said } = await world().ops(['poll-payin', PAYIN, '--reason', 'Case 17', '--yes']);
    expect([status, said]).toEqual([1, expect.stringContaining('no pay-in')]);
  });

  test('is interrupted by Ctrl-C in a question', async () => {
    const agrees = () => Promise.reject(Object.assign(new Error('closed'), { name: 'ExitPromptError' }));
    expect((await world().ops(typed, { person: { agrees } })).status).toBe(130);
  });
});
