import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { inject } from 'vitest';
import { rootCredentials } from '#infra/local/demo-data.ts';

/** Everything that the functions of the deployed stack have logged so far. */
export async function functionLogs(): Promise<string> {
  const client = new CloudWatchLogsClient({
    endpoint: inject('outputs').awsEndpoint,
    region: 'us-east-1',
    credentials: rootCredentials,
  });
  const messages: string[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
        messages.push(...events.map(({ message = '' }) => message));
      }
    }
  }
  return messages.join('\n');
}
