import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser, send } from '#test/support/http-client.ts';
import { newClient } from '#test/support/new-client.ts';
import { newTenant } from '#test/support/tenant.ts';

/** Runs the command line as an operator types it, in a separate process. */
async function ops(typed: readonly string[], standardInput = '') {
  const child = spawn(process.execPath, ['infra/cli/ops.ts', ...typed], { cwd: projectDirectory });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end(standardInput);
  const [printed, said, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { printed, said, status };
}

const port = () => new URL(inject('outputs').baseUrl).port;
const here = (...typed: readonly string[]) => [...typed, '--port', port(), '--json'];

test('decisions 11, who: npm run ops finds the running service, changes and shows, and says what is refused', async () => {
  const made = await ops(here('create-client', '-', '--reason', 'A contract'), JSON.stringify(newClient()));
  expect([made.status, made.said]).toEqual([0, '']);
  const { clientId, clientSecret } = JSON.parse(made.printed);
  const token = await send('POST', '/api/v1/client/token', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
  });
  expect(token.status).toBe(200);
  const shown = await ops(['client', clientId, '--port', port()]);
  expect([shown.status, shown.printed]).toEqual([
    0,
    expect.stringContaining('businessName        Example Pagos S.A.S.'),
  ]);
  expect(shown.printed).not.toContain(clientSecret);
  const refused = await ops(here('suspend-client', crypto.randomUUID(), '--reason', 'A mistake', '--yes'));
  expect([refused.status, refused.printed, JSON.parse(refused.said)]).toMatchObject([1, '', { code: 'NOT_FOUND' }]);
});

test('decisions 11, who: npm run ops says what to do where no service runs', async () => {
  const { status, said } = await ops(['client', crypto.randomUUID(), '--port', '1']);
  expect([status, said]).toEqual([4, expect.stringContaining('Start it with npm start')]);
});

test('decisions 11, one look: where an off-ramp is, by its address, its hash and its id, until it is paid out', async () => {
  const user = new OffRampUser('POLYGON', await newTenant('looked-up'));
  const operation = await user.create('12.5');
  const look = async (of: string) => {
    const { status, printed, said } = await ops(here('operation', of));
    expect([status, said]).toEqual([0, '']);
    return JSON.parse(printed);
  };
  expect(await look(operation.address)).toMatchObject({
    operationId: operation.id,
    status: 'AWAITING_DEPOSIT',
    next: { who: 'USER' },
    events: [{ type: 'ramp.operation.status_changed', status: 'AWAITING_DEPOSIT' }],
  });
  const txHash = newHash();
  await user.deposit(operation, txHash, { amount: '12.4' });
  await user.submit(operation.id, txHash);
  const wrong = await eventually(
    () => look(txHash),
    ({ hash }) => hash.reason !== undefined,
  );
  expect(wrong).toMatchObject({
    operationId: operation.id,
    hash: { status: 'VERIFYING', reason: 'WRONG_AMOUNT', execution: `${operation.id}-1` },
  });
  const right = newHash();
  await user.deposit(operation, right);
  await user.submit(operation.id, right);
  const paid = await eventually(
    () => look(operation.id),
    ({ status, events }) => status === 'COMPLETED' && events.every((one: { isPublished: boolean }) => one.isPublished),
  );
  expect(paid).toMatchObject({
    hash: { status: 'VERIFIED', verifiedTxHash: right },
    payout: { status: 'COMPLETED' },
    deposits: expect.arrayContaining([expect.objectContaining({ status: 'CREDITED', txHash: right })]),
  });
  const { status, printed } = await ops(['operation', operation.id, '--port', port()]);
  expect([status, printed]).toEqual([0, expect.stringMatching(/^operationId +[0-9a-f-]{36}\nstatus +COMPLETED\n/)]);
});
