import { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import { expect, test } from 'vitest';
import { loggingTrails } from '#infra/cli/trails.ts';

test('only a trail that logs tells of calls', async () => {
  const trails = ['arn:aws:cloudtrail:us-east-1:1:trail/stopped', 'arn:aws:cloudtrail:eu-west-1:2:trail/of-all'];
  const client = Object.assign(new CloudTrailClient({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: { readonly Name?: string } }) =>
      input.Name === undefined
        ? { trailList: trails.map((TrailARN) => ({ TrailARN })) }
        : { IsLogging: input.Name === trails[1] },
  });
  expect(await loggingTrails(client)).toEqual([trails[1]]);
});
