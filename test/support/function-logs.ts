import { inject } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { functionLogs as functionLogsAt } from '#infra/local/function-logs.ts';

/** All log lines of the functions of the deployed stack, since a time in milliseconds since 1970. */
export async function functionLogs(since = 0): Promise<string> {
  return (await functionLogGroups(since)).flat().join('\n');
}

/** The same lines by log group. */
export async function functionLogGroups(since = 0): Promise<readonly (readonly string[])[]> {
  const groups = await functionLogsAt(awsOf(inject('outputs')), since);
  return groups.map((lines) => lines.map(({ text }) => text));
}
