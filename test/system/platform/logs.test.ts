import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { connectedAs } from '#test/support/connected.ts';
import { eventually } from '#test/support/eventually.ts';
import { functionLogGroups, functionLogs } from '#test/support/function-logs.ts';
import { accessToken, callAs, demoClient, problemOf, send } from '#test/support/http-client.ts';

const client = demoClient('demo');
const call = connectedAs(client);
const path = { user_id: client.users[0]?.userId ?? '' };

/** Returns all logs up to now: it waits for the request id of a refusal, and lines logged earlier are there by then. */
async function logsUpToNow(): Promise<string> {
  const since = Date.now();
  const { requestId } = problemOf(
    await callAs(client, 'GET', createPayinContract.path.replace('{user_id}', randomUUID())),
  );
  await eventually(
    () => functionLogs(since),
    (logs) => logs.includes(requestId),
  );
  return functionLogs();
}

test.each([
  ['refused by a function', 'GET', createPayinContract.path.replace('{user_id}', randomUUID()), 404],
  ['refused for its body', 'POST', createWithdrawalContract.path.replace('{user_id}', path.user_id), 422],
])('the request id is in body, header and logs of what is %s', async (_, method, route, status) => {
  const since = Date.now();
  const answer = await callAs(client, method, route, method === 'POST' ? {} : undefined);
  const { requestId } = problemOf(answer);
  expect(answer.status).toBe(status);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('x-request-id')).toBe(requestId);
  await eventually(
    () => functionLogs(since),
    (logs) => logs.includes(requestId),
  );
});

test.each([
  ['the authorizer', () => send('GET', '/api/infoClient')],
  ['the gateway, for want of a route', () => send('GET', '/api/nothing')],
])('the request id is in body and header of what %s refuses', async (_, refused) => {
  const answer = await refused();
  expect(answer.headers.get('x-request-id')).toBe(problemOf(answer).requestId);
});

test('every call leaves log lines', async () => {
  await logsUpToNow();
  const called = (await functionLogGroups()).map((lines) => ({
    calls: lines.filter((line) => line.startsWith('START ')).length,
    told: lines.filter((line) => /code: '(REQUEST|CALL|MESSAGE)_[A-Z]+'/.test(line)).length,
  }));
  expect(called.filter(({ calls }) => calls > 0).length).toBeGreaterThan(1);
  // The local AWS may log a line with the next call of the process.
  expect(called.filter(({ calls, told }) => told < Math.floor(calls / 2))).toEqual([]);
});

test('nothing personal or secret is logged: phone, document, name, e-mail, secrets, tokens, queries', async () => {
  const phone = `31${randomInt(10_000_000, 99_999_999)}`;
  const reference = `reference-${randomUUID()}`;
  const wrongSecret = `wrong-${randomUUID()}`;
  const order = { amount: 15_000, currency: 'COP', externalReference: reference } as const;
  await call('GET /api/infoClient');
  for (const paymentMethod of ['NEQUI', 'DAVIPLATA'] as const) {
    await call('POST /api/v1/admin/fiats/{user_id}/payin', { path, body: { ...order, paymentMethod, phone } });
    await call('POST /api/v1/admin/fiats/{user_id}/payin', { path, body: { ...order, paymentMethod } });
  }
  await call('GET /api/v1/admin/fiats/{user_id}/payin', { path, query: { externalReference: reference } });
  const payinPath = createPayinContract.path.replace('{user_id}', path.user_id);
  for (const wrong of [`${phone}x`, '3990000502', '3990000503']) {
    await callAs(client, 'POST', payinPath, { ...order, paymentMethod: 'NEQUI', phone: wrong });
  }
  const credentials = JSON.stringify({ client_id: client.clientId, client_secret: wrongSecret });
  await send('POST', issueTokenContract.path, { body: credentials, headers: { 'Content-Type': 'application/json' } });
  const url = `http://127.0.0.1:9/hooks?token=${randomUUID()}`;
  const ofClient = { clientId: client.clientId };
  const { body: webhook } = await call('POST /api/webhooks/{clientId}', {
    path: ofClient,
    body: { url, process: 'compliance' },
  });
  const rotated = await call('POST /api/webhooks/{clientId}/{webhook_id}/secret', {
    path: { ...ofClient, webhook_id: webhook.id },
  });

  const { body: info } = await call('GET /api/infoClient');
  const logs = await logsUpToNow();
  const neverLogged = {
    phone,
    registeredPhone: '3001234567',
    rejectedPhone: '3990000502',
    reference,
    payerName: 'Demo Payer',
    payerEmail: 'payer@example.com',
    payerDocument: '1020304050',
    businessName: info.person.businessName,
    identificationNro: info.person.identificationNro,
    contact: 'operations@example.com',
    clientSecret: client.clientSecret,
    wrongSecret,
    token: (await accessToken(client)).split('.')[2],
    webhookSecret: webhook.secret.replace('whsec_', ''),
    rotatedSecret: rotated.body.secret.replace('whsec_', ''),
    query: url.split('?')[1],
  };
  const leaked = Object.entries(neverLogged).filter(([, text]) => text === undefined || logs.includes(text));
  expect(leaked.map(([what]) => what)).toEqual([]);
});
