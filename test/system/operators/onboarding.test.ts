import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, inject, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { createClientContract, rotateSecretContract } from '#shared/clients/client-commands.ts';
import { readClientContract } from '#shared/clients/client-lookups.ts';
import { addUserContract } from '#shared/clients/user-commands.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, send } from '#test/support/http-client.ts';
import { newClient } from '#test/support/new-client.ts';
import { operate } from '#test/support/operator-client.ts';

const { eventBridge } = deployedParts();
const tokenOf = (client_id: string, client_secret: string) =>
  send('POST', '/api/v1/client/token', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret }),
  });

async function onboarded() {
  const { body: made } = await operate(createClientContract, newClient());
  const clientId = String(made.clientId);
  return { clientId, clientSecret: String(made.clientSecret), name: 'onboarded', approved: true, users: [] };
}

async function becomes(clientId: string, status: string): Promise<void> {
  await eventually(
    async () => (await operate(readClientContract, { clientId })).body.status,
    (found) => found === status,
  );
}

test('decisions 11, clients: a suspension is in force within ten seconds, whatever time an approval before it bears', async () => {
  const client = await onboarded();
  const { clientId } = client;
  // Events from clocks that are hours or decades ahead.
  for (const Time of [new Date(Date.now() + 5 * 3600_000), new Date('2099-01-01T00:00:00Z')]) {
    const Detail = JSON.stringify({ clientId, complianceStatus: 'approved', status: 'approved' });
    await eventBridge.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: inject('stack')['EventBusName'],
            Source: 'payments.compliance',
            DetailType: 'client.status',
            Time,
            Detail,
          },
        ],
      }),
    );
  }
  await becomes(clientId, 'approved');
  const port = new URL(inject('outputs').baseUrl).port;
  const typed = ['suspend-client', clientId, '--reason', 'Its secret has leaked', '--yes', '--port', port];
  const began = Date.now();
  const suspended = await promisify(execFile)(process.execPath, ['infra/cli/ops.ts', ...typed], {
    cwd: projectDirectory,
  });
  expect(suspended.stderr).toMatch(/^Read back: .*, its status suspended\.\nDone\. /);
  expect(Date.now() - began).toBeLessThan(30_000);
  const { userId } = (await operate(addUserContract, { clientId })).body;
  const refused = await callAs(client, 'POST', `/api/v1/admin/operation/${userId}/withdrawal`, {});
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([403, 'CLIENT_NOT_APPROVED']);
});

test('decisions 11, clients: after rotate-secret now the others get no token from that moment on', async () => {
  const { clientId, clientSecret } = await onboarded();
  const { body: second } = await operate(rotateSecretContract, { clientId });
  const { body: third } = await operate(rotateSecretContract, { clientId, now: true });
  const answers = await Promise.all(
    [clientSecret, second.clientSecret, third.clientSecret].map((one) => tokenOf(clientId, String(one))),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
});
