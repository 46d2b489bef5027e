import { describe, expect, test, vi } from 'vitest';
import { findService } from '#infra/cli/find-service.ts';
import { setUpCanary } from '#infra/cli/set-up-canary.ts';
import { findSmokeTarget } from '#infra/cli/smoke-target.ts';
import { systemClock } from '#shared/platform/clock.ts';

const silent = { say: () => undefined, clock: systemClock };
const staging = { stage: 'staging', profile: undefined, port: undefined };

/** Sets the environment of a machine without settings of AWS. */
function withoutSettings(settings: Readonly<Record<string, string>> = {}): void {
  const none = ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  for (const name of none) vi.stubEnv(name, settings[name]);
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
}

describe('npm run ops, where it cannot find the service,', () => {
  test('asks for the region when none is set', async () => {
    withoutSettings();
    await expect(findService(staging)).rejects.toMatchObject({
      status: 2,
      message: expect.stringContaining('AWS_REGION'),
    });
    vi.unstubAllEnvs();
  });

  test('says that there are no credentials', async () => {
    withoutSettings({ AWS_REGION: 'us-east-1' });
    await expect(findService(staging)).rejects.toMatchObject({
      status: 3,
      message: expect.stringContaining('no AWS credentials'),
    });
    vi.unstubAllEnvs();
  });

  test('says how to start one on this machine, as do npm run smoke, load and canary', async () => {
    const local = { stage: 'local', port: '1' } as const;
    for (const find of [findService, findSmokeTarget, (stage: typeof local) => setUpCanary(stage, silent)])
      await expect(find(local)).rejects.toMatchObject({ status: 4, message: expect.stringContaining('npm start') });
  });
});
