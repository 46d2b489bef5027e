import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { callAsClient } from '#functions/canary/call-as-client/call-as-client.ts';
import { createFetch } from '#shared/canary/fetch-as-client.ts';
import { createCanary } from '#shared/canary/run-as-canary.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { scriptedServer } from '#test/support/scripted-server.ts';
import { identities, testAuthority } from '#test/support/test-certificates.ts';

const client = { clientId: 'c', clientSecret: 'not-to-be-seen' };
const token = { status: 200, body: { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 300 } };
const problem = (status: number, code: string) => ({ status, body: { code, detail: 'No.', requestId: 'r', status } });

let lines: ReturnType<typeof captureLogs> = [];
beforeEach(() => {
  lines = captureLogs();
});

/** Runs the canary once against a server with these answers, with this text in its secret. */
async function run(
  answers: Parameters<typeof scriptedServer>[0],
  stored: string | undefined | Error,
  clock = systemClock,
) {
  const { baseUrl, received } = await scriptedServer(answers);
  const settings = { CANARY_SECRET: 'secret', BASE_URL: baseUrl, ADMIN_URL: baseUrl, METRICS_NAMESPACE: 'here' };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const secretsManager = new SecretsManagerClient({ region: 'us-east-1' });
  vi.spyOn(secretsManager, 'send').mockImplementation(async () => {
    if (stored instanceof Error) throw stored;
    return { SecretString: stored };
  });
  const written: unknown[] = [];
  const writeLine = (line: string) => void written.push(JSON.parse(line));
  await createCanary({ secretsManager, writeLine }, clock, callAsClient)({});
  expect(JSON.stringify([lines, written])).not.toContain(client.clientSecret);
  return { received: received.map(({ call }) => call), metrics: written, last: lines.at(-1) };
}

const asks = ['POST /api/v1/client/token', 'GET /api/infoClient', 'GET /api/v1/admin/banks'];

describe('a run of the canary', () => {
  test('gets a token and makes the first reads of a client; its metrics are in one line, its outcome in another', async () => {
    const { received, metrics, last } = await run(
      [token, { status: 200, body: {} }, { status: 200, body: [{}] }],
      JSON.stringify(client),
    );
    expect(received).toEqual(asks);
    expect(metrics).toEqual([
      {
        _aws: expect.objectContaining({ CloudWatchMetrics: [expect.objectContaining({ Namespace: 'here' })] }),
        'canary failures': 0,
        'canary seconds': expect.any(Number),
      },
    ]);
    expect(last).toMatchObject({
      code: 'CALL_DONE',
      fields: { call: 'call-as-client', canary: 'DONE', lastCall: asks[2] },
    });
  });

  test.each([
    ['no token', [problem(401, 'INVALID_CLIENT')], asks[0], '401 INVALID_CLIENT'],
    ['a refusal', [token, problem(403, 'FORBIDDEN')], asks[1], '403 FORBIDDEN'],
    ['no banks', [token, { status: 200, body: {} }, { status: 200, body: [] }], asks[2], 'The list of banks is empty.'],
  ])('fails by %s, and says at which call and why', async (_, answers, lastCall, cause) => {
    const { metrics, last } = await run(answers, JSON.stringify(client));
    expect(metrics).toEqual([expect.objectContaining({ 'canary failures': 1 })]);
    expect(last?.fields).toMatchObject({ canary: 'FAILED', lastCall, cause: expect.stringContaining(cause) });
  });

  test('asks again after half an answer, as clients do', async () => {
    const half = { status: 200, headers: { 'Content-Length': '100' }, body: {} };
    const answers = [token, half, { status: 200, body: {} }, { status: 200, body: [{}] }];
    expect((await run(answers, JSON.stringify(client))).last?.fields['canary']).toBe('DONE');
  });

  test('fails after 45 seconds, whatever it waits for', async () => {
    const clock = fakeClock('2026-11-27T12:00:00.000Z');
    // The server asks for a pause that is longer than a run may take.
    const throttled = { ...problem(429, 'TOO_MANY_REQUESTS'), headers: { 'Retry-After': '50' } };
    const { metrics, last } = await run([throttled], JSON.stringify(client), clock);
    expect(metrics).toEqual([expect.objectContaining({ 'canary failures': 1 })]);
    expect(last?.fields['cause']).toBe('Error: Not done after 45 seconds.');
  });

  const noValue = Object.assign(new Error('no value'), { name: 'ResourceNotFoundException' });
  test.each([noValue, ''])('before anybody has set it up is a notice and no failure', async (stored) => {
    const { received, metrics, last } = await run([], stored);
    expect(received).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', code: 'CANARY_NOT_SET_UP' }));
    expect(metrics).toEqual([expect.objectContaining({ 'canary failures': 0 })]);
    expect(last?.fields).toMatchObject({ canary: 'NOT_SET_UP' });
  });

  test.each([
    [
      `{"clientId":"c","clientSecret":["${client.clientSecret}"]}`,
      'Error: The secret of the canary is not in its format.',
    ],
    [new Error('Secrets Manager does not answer.'), 'Error: Secrets Manager does not answer.'],
  ])('that cannot read its secret has failed', async (stored, cause) => {
    const { metrics, last } = await run([], stored);
    expect(metrics).toEqual([expect.objectContaining({ 'canary failures': 1 })]);
    expect(last?.fields).toMatchObject({ canary: 'FAILED', cause });
  });
});

test('interface 5.5: the canary shows its certificate to the host of each path, on a connection of its own', async () => {
  const known = getCACertificates();
  setDefaultCACertificates([testAuthority]);
  vi.spyOn(dns, 'lookup').mockImplementation((...given: unknown[]) => {
    const answer = given.at(-1);
    if (typeof answer === 'function') answer(null, [{ address: '127.0.0.1', family: 4 }]);
  });
  const seen: unknown[] = [];
  const sockets = new Set<unknown>();
  const server = createServer({ ...identities.good, requestCert: true, ca: testAuthority }, (request, response) => {
    const socket = request.socket as TLSSocket;
    sockets.add(socket);
    seen.push([request.headers.host?.split(':')[0], request.url, socket.getPeerCertificate().subject.CN]);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    setDefaultCACertificates(known);
    vi.restoreAllMocks();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const [baseUrl, adminUrl] = [`https://api.example.com:${port}`, `https://hooks.example.com:${port}`];
  const { cert, key } = identities.good;
  const fetch = createFetch({ baseUrl, adminUrl, cert, key: String(key) });
  for (const path of ['banks', 'users']) expect((await fetch(`${baseUrl}/api/v1/admin/${path}`, {})).status).toBe(200);
  expect(seen).toEqual(
    ['banks', 'users'].map((path) => ['hooks.example.com', `/api/v1/admin/${path}`, 'hooks.example.com']),
  );
  expect(sockets.size).toBe(2);
  // The server's certificate is for another host name.
  await expect(fetch(`${baseUrl}/api/infoClient`, {})).rejects.toThrow(/altnames/);
});
