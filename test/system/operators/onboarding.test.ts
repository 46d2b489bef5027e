import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, inject, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { approveClientContract, createClientContract, rotateSecretContract } from '#shared/clients/client-commands.ts';
import { addUserContract, declareWalletContract } from '#shared/clients/user-commands.ts';
import { formatAddress } from '#shared/networks/addresses-and-hashes.ts';
import { listAuditContract } from '#shared/operators/audit-records.ts';
import {
  listClientsContract,
  listUsersContract,
  readClientContract,
  readUserContract,
} from '#shared/operators/client-lookup.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { accessToken, callAs, demoClient, send } from '#test/support/http-client.ts';
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

test('decisions 11, clients: from nothing to an off-ramp, by commands alone', async () => {
  const client = await onboarded();
  const { clientId } = client;
  await operate(approveClientContract, { clientId });
  await becomes(clientId, 'approved');
  const { userId } = (await operate(addUserContract, { clientId, payer: { phone: '3001234567' } })).body;
  const address = formatAddress('POLYGON', randomBytes(32));
  const { walletId } = (await operate(declareWalletContract, { userId, network: 'POLYGON', address })).body;
  const [token] = inject('outputs').tokens.filter(({ networks }) => networks.includes('POLYGON'));
  const created = await callAs(client, 'POST', `/api/v1/admin/operation/${userId}/withdrawal`, {
    originExternalWalletId: walletId,
    supportedTokenId: token?.id,
    amount: '12.5',
  });
  expect([created.status, JSON.parse(created.text)]).toMatchObject([
    201,
    { operation: { status: 'AWAITING_DEPOSIT', network: 'POLYGON', amount: '12.5' } },
  ]);
});

test('decisions 11, clients: a suspension is in force within ten seconds, whatever time an approval before it bears', async () => {
  const client = await onboarded();
  const { clientId } = client;
  // A clock that is hours ahead, or for ever.
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

test('decisions 11, who: no operators’ route is on the API of the clients', async () => {
  const authorization = `Bearer ${await accessToken(demoClient('demo'))}`;
  const url = `${inject('stack')['ClientsApiUrl']}${readClientContract.path}?clientId=${demoClient('demo').clientId}`;
  expect((await fetch(url, { headers: { authorization } })).status).toBe(404);
});

test('decisions 11, what callers say: a client is found by its name, its number is its own, and who made it is said', async () => {
  const tradeName = `Ñandú ${randomBytes(6).toString('hex')}`;
  const profile = { ...newClient(), tradeName };
  const { clientId } = (await operate(createClientContract, profile, 'Contract 17')).body;
  const again = await operate(createClientContract, profile);
  expect([again.status, JSON.stringify(again.body)]).toEqual([422, expect.stringContaining(String(clientId))]);
  const { userId } = (await operate(addUserContract, { clientId, payer: { fullName: 'Example Payer' } })).body;
  const eventuallyListed = (
    contract: typeof listClientsContract | typeof listUsersContract,
    query: Record<string, unknown>,
  ) =>
    eventually(
      async () => (await operate(contract, query)).body.items,
      (items) => items.length === 1,
    );
  const name = tradeName.replace('Ñandú', 'NANDU');
  expect(await eventuallyListed(listClientsContract, { name })).toMatchObject([
    { clientId, tradeName, status: 'pending' },
  ]);
  expect(await eventuallyListed(listUsersContract, { clientId })).toEqual([{ userId, fullName: 'Example Payer' }]);
  const { changes } = (await operate(readClientContract, { clientId })).body;
  expect(changes).toMatchObject([{ command: 'create-client', reason: 'Contract 17' }, { command: 'add-user' }]);
  expect((await operate(readUserContract, { userId })).body.changes).toMatchObject([
    { command: 'add-user', result: 'DONE' },
  ]);
  const [made] = (await operate(listAuditContract, { about: clientId })).body.items;
  expect(made.arguments).toEqual({ clientId, payer: ['fullName'] });
  const by = (await operate(listAuditContract, { by: made.who })).body.items;
  expect(by.length).toBeGreaterThan(1);
});
