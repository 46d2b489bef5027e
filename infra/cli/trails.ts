import { type CloudTrailClient, DescribeTrailsCommand, GetTrailStatusCommand } from '@aws-sdk/client-cloudtrail';

/** Trails that log in this account and region, those of its organisation among them. */
export async function loggingTrails(client: CloudTrailClient): Promise<readonly string[]> {
  const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
  const found = await Promise.all(
    // A trail of another region or account is known by its ARN alone.
    trailList.map(async ({ TrailARN: Name = '' }) => {
      const { IsLogging } = await client.send(new GetTrailStatusCommand({ Name }));
      return IsLogging === true ? Name : [];
    }),
  );
  return found.flat();
}
