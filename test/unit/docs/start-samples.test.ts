import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { declaredErrors } from '#infra/api/openapi/declared-errors.ts';
import { problemFor } from '#shared/platform/http/answer.ts';
import { samplesOf } from '#test/support/guide-samples.ts';
import { scriptedServer } from '#test/support/scripted-server.ts';

test('the api.mjs of docs/start.md says that the secret is wrong, and sends no call without a token', async () => {
  const { status } = declaredErrors.INVALID_CLIENT;
  const body = problemFor(declaredErrors.INVALID_CLIENT, 'request-1', 'https://docs.example.com');
  const { baseUrl, received } = await scriptedServer([{ status, body }]);
  vi.stubEnv('BASE_URL', baseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code = '' } = samplesOf('docs/start.md').find(({ file }) => file === 'api.mjs') ?? {};
  const sample: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { call } = z.object({ call: z.custom<(method: string, path: string) => Promise<unknown>>() }).parse(sample);
  await expect(call('GET', '/api/infoClient')).rejects.toMatchObject({ code: 'INVALID_CLIENT' });
  expect(received.map((one) => one.call)).toEqual(['POST /api/v1/client/token']);
});
