import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { inject } from 'vitest';
import { rootCredentials } from '#infra/local/demo-data.ts';

/** Everything that the functions of the deployed stack have logged so far. */
export async function functionLogs(): Promise<string> {
  return (await functionLogGroups()).flat().join('\n');
}

/** The same by log group. */
export async function functionLogGroups(): Promise<readonly (readonly string[])[]> {
  const client = new CloudWatchLogsClient({
    endpoint: inject('outputs').awsEndpoint,
    region: 'us-east-1',
    credentials: rootCredentials,
  });
  const groups: string[][] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      const messages: string[] = [];
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
        messages.push(...events.map(({ message = '' }) => message));
      }
      groups.push(messages);
    }
  }
  return groups;
}
