import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import type { LocalAws } from '#infra/cli/local-aws.ts';

export interface LogLine {
  readonly group: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** Everything that functions and APIs have logged at a local AWS since a time, in milliseconds, by log group. */
export async function functionLogs(aws: LocalAws, since = 0): Promise<readonly (readonly LogLine[])[]> {
  const client = new CloudWatchLogsClient({
    ...aws,
    // The local AWS fails a read of a group to which a function adds its first lines just then.
    maxAttempts: 8,
  });
  const groups: (readonly LogLine[])[] = [];
  try {
    for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
      for (const { logGroupName = '' } of logGroups) groups.push(await linesOf(client, logGroupName, since));
    }
    return groups;
  } finally {
    client.destroy();
  }
}

/** The local AWS returns only the first 10,000 lines without saying so, so it is asked again from the last one on. */
async function linesOf(client: CloudWatchLogsClient, group: string, since: number): Promise<readonly LogLine[]> {
  let lines: readonly LogLine[] = [];
  for (let startTime = since, known = -1; lines.length > known; startTime = lines.at(-1)?.at ?? since) {
    known = lines.length;
    const further: LogLine[] = [];
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName: group, startTime })) {
      further.push(...events.map(({ timestamp = 0, message = '' }) => ({ group, at: timestamp, text: message })));
    }
    lines = [...lines.filter(({ at }) => at < startTime), ...further];
  }
  return lines;
}
