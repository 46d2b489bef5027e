import { inject } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { functionLogs as functionLogsAt } from '#infra/local/function-logs.ts';

/** Everything that the functions of the deployed stack have logged, in all or since a time in milliseconds. */
export async function functionLogs(since = 0): Promise<string> {
  return (await functionLogGroups(since)).flat().join('\n');
}

/** The same by log group. */
export async function functionLogGroups(since = 0): Promise<readonly (readonly string[])[]> {
  const groups = await functionLogsAt(awsOf(inject('outputs')), since);
  return groups.map((lines) => lines.map(({ text }) => text));
}
