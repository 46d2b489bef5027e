import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { newClientExample } from '#infra/clients/new-client-example.ts';
import { projectDirectory } from '#infra/local/local-directory.ts';
import { send } from '#test/support/http-client.ts';

/** The command line as somebody types it, in a process of its own. */
async function ops(typed: readonly string[], standardInput = '') {
  const child = spawn(process.execPath, ['infra/operators/cli/ops.ts', ...typed], { cwd: projectDirectory });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end(standardInput);
  const [printed, said, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { printed, said, status };
}

const port = () => new URL(inject('outputs').baseUrl).port;
const here = (...typed: readonly string[]) => [...typed, '--port', port(), '--json'];

test('decisions 11, who: npm run ops finds the running service, changes and shows, and says what is refused', async () => {
  const made = await ops(here('create-client', '-', '--reason', 'A contract'), JSON.stringify(newClientExample));
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
