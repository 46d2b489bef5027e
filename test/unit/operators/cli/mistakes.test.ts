import { describe, expect, test } from 'vitest';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { opsWorld } from '#test/support/ops-world.ts';

const problem = (status: number, code: string, detail = 'Why it failed.') =>
  new Response(
    JSON.stringify({ type: 'https://docs.example.com', title: '', status, code, detail, requestId: 'request-1' }),
    { status },
  );

describe('npm run ops, given a mistyped command,', () => {
  test.each([
    ['an unknown command', ['clent', CLIENT], 'Did you mean client?'],
    ['an unknown option', ['client', CLIENT, '--verbose'], "unknown option '--verbose'"],
    ['an unknown stage', ['client', CLIENT, '--stage', 'production'], 'Allowed choices are local, staging, prod'],
    ['two formats', ['report-payins', '--csv', '--json'], '--csv and --json exclude each other'],
    ['one value too many', ['client', CLIENT, USER], 'too many arguments'],
    ['a missing id', ['client'], 'Give <client-id>.'],
    ['an id that is none', ['user', '17'], 'userId must be a UUID'],
    [
      'a name in a change, which takes ids alone',
      ['suspend-client', 'pagos', '--reason', 'A leak', '--yes'],
      'clientId must be a UUID',
    ],
    ['a delivery that is none', ['resend', '17', '--reason', 'A contract'], 'deliveryId must be dlv_ and 32 hex'],
    [
      'a token that is none',
      ['deactivate-token', 'USDC', '--reason', 'It is over', '--yes'],
      'tokenId must be the number',
    ],
    ['a missing reason', ['withdraw-wallet', USER, USER], 'Give --reason'],
    [
      'a reason that says nothing',
      ['withdraw-wallet', USER, USER, '--reason', ' '],
      'reason must be at least 3 characters long',
    ],
    [
      'a value that is none',
      ['add-user', CLIENT, '--phone', '12', '--reason', 'A contract'],
      'payer.phone must be ten digits',
    ],
    ['a choice that is none', ['add-user', CLIENT, '--document-type', 'ID'], 'Allowed choices are CC, CE'],
    [
      'an address of another network',
      ['declare-wallet', USER, 'TRON', `0x${'0'.repeat(40)}`, '--reason', 'A contract'],
      'address must be an address of TRON',
    ],
    ['a file that is not there', ['create-client', 'none.json', '--reason', 'A contract'], 'none.json cannot be read.'],
    [
      'a file that is no JSON',
      ['create-client', 'list.json', '--reason', 'A contract'],
      'list.json is no JSON object.',
    ],
    [
      'a field that is none',
      ['add-user', CLIENT, '--from', 'payer.json', '--reason', 'A contract'],
      'payer.fullname is not a field of it',
    ],
    [
      'a number that is none',
      ['set-limits', CLIENT, '--off-ramps', '5e4', '--reason', 'A contract'],
      'offRamps must be',
    ],
    ['a profile without its stage', ['client', CLIENT, '--profile', 'ops'], '--profile needs a --stage'],
    [
      'a port of a stage on AWS',
      ['client', CLIENT, '--stage', 'prod', '--port', '80'],
      '--as are for --stage local only',
    ],
    ['a name on AWS', ['client', CLIENT, '--stage', 'prod', '--as', 'bea'], '--as are for --stage local only'],
  ])('%s ends with status 2, says what is wrong, and sends nothing', async (_, typed, what) => {
    const { status, said, calls, printed } = await opsWorld().ops(typed, {
      files: { 'list.json': '[]', 'payer.json': '{"payer":{"fullname":"Example Payer"}}' },
    });
    expect([status, calls, printed]).toEqual([2, 0, '']);
    expect(said).toContain(what);
  });

  test('asks for what is missing where a person can answer', async () => {
    const { ops, table } = opsWorld();
    table('users').put({ userId: USER, clientId: CLIENT, payer: {} });
    const person = { value: async () => USER, reason: async () => 'A contract', agrees: async () => true };
    expect((await ops(['update-user', '--full-name', 'After'], { person })).status).toBe(0);
    expect(table('users').find({ userId: USER })).toMatchObject({ payer: { fullName: 'After' } });
  });
});

describe('npm run ops, when a command fails,', () => {
  test('says why the service refuses it, and ends with status 1', async () => {
    const { status, said } = await opsWorld().ops(['client', CLIENT]);
    expect([status, said]).toEqual([
      1,
      'There is no client with this id. Check the id and the stage.\nRequest request-1\n',
    ]);
  });

  test('names a value that the service refuses as it is typed', async () => {
    const { status, said } = await opsWorld().ops(['report-offramps', '--from', '2026-07-29', '--to', '2026-07-28']);
    expect([status, said]).toEqual([1, expect.stringContaining('\n  to must not be before from')]);
  });

  const declared = operatorRoutes.flatMap(({ contract: { name, errors } }) => errors.map((one) => ({ name, ...one })));
  const refusals = new Map(
    declared.filter(({ status }) => status !== 403 && status < 500).map((one) => [one.code, one]),
  );

  test.each([...refusals.values()])(
    'says why, whatever code of its contract it is: $code',
    async ({ status, code }) => {
      const fetch = async () => problem(status, code);
      const done = await opsWorld().ops(['client', CLIENT], { fetch });
      expect([done.status, done.said]).toEqual([1, 'Why it failed.\nRequest request-1\n']);
    },
  );

  test('says where the reason of a failure of the service stands, and nothing that is meant for clients', async () => {
    captureLogs();
    const { ops, table, refuseEvents } = opsWorld();
    table('clients').put({ clientId: CLIENT, complianceStatus: '', status: '', secretDigests: [] });
    refuseEvents();
    const unavailable = await ops(['approve-client', CLIENT, '--reason', 'Approved', '--yes']);
    expect(unavailable.said).toMatch(/^The service cannot answer at the moment.* It is unknown whether it was done/);
    table('clients').put({ clientId: CLIENT });
    const failed = await ops(['client', CLIENT]);
    expect([failed.status, failed.said]).toEqual([
      4,
      expect.stringMatching(/logs have the cause.*\nRequest request-1\n$/),
    ]);
    expect(unavailable.said + failed.said).not.toContain('Idempotency');
  });

  test('says which permission the identity lacks, and ends with status 3', async () => {
    const fetch = async () => problem(403, 'FORBIDDEN');
    const { status, said } = await opsWorld().ops(['approve-client', CLIENT, '--reason', 'Approved', '--yes'], {
      fetch,
    });
    expect(status).toBe(3);
    expect(said).toContain('execute-api:Invoke on POST/operations/approve-client');
    expect(said).toContain('Expired credentials');
  });

  test.each([
    ['the service fails', async () => problem(500, 'INTERNAL_ERROR'), 'Why it failed.'],
    [
      'the service fails, without the key that only clients have',
      async () => problem(503, 'SERVICE_UNAVAILABLE', apiErrors.SERVICE_UNAVAILABLE.detail),
      'The service cannot answer at the moment. It is unknown',
    ],
    ['something else answers', async () => new Response('<html>', { status: 502 }), 'The service answers 502'],
    [
      'nothing answers',
      () => Promise.reject(new TypeError('fetch failed')),
      'Nothing answers at https://operators.example',
    ],
  ])('ends with status 4 when %s, and says of a change that it may have been done', async (_, fetch, what) => {
    const typed = ['withdraw-wallet', USER, USER, '--reason', 'A contract', '--yes'];
    const { status, said } = await opsWorld().ops(typed, { fetch });
    expect(status).toBe(4);
    expect(said).toContain(what);
    expect(said).toContain('It is unknown whether it was done');
  });

  test('does not say that the change may have been made when no service took the call', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const typed = ['withdraw-wallet', USER, USER, '--reason', 'A contract', '--yes'];
    const { status, said } = await opsWorld().ops(typed, { fetch });
    expect([status, said]).toEqual([4, expect.not.stringContaining('It is not known')]);
  });
});
