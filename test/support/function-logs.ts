import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { inject } from 'vitest';
import { rootCredentials } from '#infra/local/demo-data.ts';

/** Everything that the functions of the deployed stack have logged, in all or since a time in milliseconds. */
export async function functionLogs(since = 0): Promise<string> {
  return (await functionLogGroups(since)).flat().join('\n');
}

/** The same by log group. */
export async function functionLogGroups(since = 0): Promise<readonly (readonly string[])[]> {
  const client = new CloudWatchLogsClient({
    endpoint: inject('outputs').awsEndpoint,
    region: 'us-east-1',
    credentials: rootCredentials,
  });
  const groups: string[][] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName = '' } of logGroups) groups.push(await messagesOf(client, logGroupName, since));
  }
  return groups;
}

/** The local AWS answers the first 10,000 lines without saying that there are more: it is asked again from the last on. */
async function messagesOf(client: CloudWatchLogsClient, logGroupName: string, since: number): Promise<string[]> {
  const found = new Map<string, string>();
  for (let startTime = since, known = -1; found.size > known; ) {
    known = found.size;
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
      for (const { timestamp, logStreamName, message = '' } of events) {
        found.set(`${timestamp} ${logStreamName} ${message}`, message);
      }
      startTime = events.at(-1)?.timestamp ?? startTime;
    }
  }
  return [...found.values()];
}
