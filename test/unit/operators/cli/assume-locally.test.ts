import { expect, test } from 'vitest';
import { assumeLocally } from '#infra/cli/assume-locally.ts';
import { serviceAt } from '#infra/cli/find-service.ts';

test('a name that is taken where the local AWS has ended is told what to start', async () => {
  const aws = {
    // Nothing listens on this port.
    ...{ endpoint: 'http://127.0.0.1:1', region: 'us-east-1' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const { signing } = serviceAt(aws.endpoint, 'none', aws);
  await expect(assumeLocally(aws, signing, 'bea')).rejects.toThrow(/^Nothing answers at .* Start it with npm start/);
});
