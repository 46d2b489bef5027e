import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { declaredErrors } from '#infra/api/openapi/declared-errors.ts';
import { problemFor } from '#shared/platform/http/answer.ts';
import { samplesOf } from '#test/support/guide-samples.ts';
import { scriptedServer } from '#test/support/scripted-server.ts';

/** The `call` of the api.mjs of docs/start.md, towards a server with these answers. */
async function callOf(answers: Parameters<typeof scriptedServer>[0]) {
  const { baseUrl, received } = await scriptedServer(answers);
  vi.stubEnv('BASE_URL', baseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code = '' } = samplesOf('docs/start.md').find(({ file }) => file === 'api.mjs') ?? {};
  const sample: unknown = await import(`data:text/javascript,${encodeURIComponent(`// ${baseUrl}\n${code}`)}`);
  const { call } = z.object({ call: z.custom<(method: string, path: string) => Promise<unknown>>() }).parse(sample);
  return { call, calls: () => received.map((one) => one.call) };
}

test('the api.mjs of docs/start.md says that the secret is wrong, and sends no call without a token', async () => {
  const { status } = declaredErrors.INVALID_CLIENT;
  const body = problemFor(declaredErrors.INVALID_CLIENT, 'request-1', 'https://docs.example.com');
  const { call, calls } = await callOf([{ status, body }]);
  await expect(call('GET', '/api/infoClient')).rejects.toMatchObject({ code: 'INVALID_CLIENT' });
  expect(calls()).toEqual(['POST /api/v1/client/token']);
});

test('the api.mjs of docs/start.md takes an answer without a body, such as that to the removal of a webhook', async () => {
  const { call } = await callOf([{ status: 200, body: { access_token: 'a.b.c' } }, { status: 204 }]);
  expect(await call('DELETE', '/api/webhooks/client/webhook/record')).toBeUndefined();
});
