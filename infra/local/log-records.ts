import type { LogLine } from './function-logs.ts';

/**
 * One line for each log record: the local AWS keeps an object that a function logs as several lines. The runtime's
 * lines about the begin and end of calls are left out.
 */
export function logRecords(lines: readonly LogLine[]): readonly LogLine[] {
  const records: LogLine[] = [];
  for (const { group, at, text } of lines) {
    const begun = records.at(-1);
    if (begun !== undefined && /^[\s}\]]/.test(text)) {
      records[records.length - 1] = { ...begun, text: `${begun.text} ${text.trim()}` };
    } else {
      records.push({ group, at, text: text.trimEnd() });
    }
  }
  return records.filter(({ text }) => !/^(START|END|REPORT) RequestId: /.test(text));
}

/** The records with this text, oldest first, each as a line; all records for an empty text. */
export function matchingLines(sought: string, groups: readonly (readonly LogLine[])[]): readonly string[] {
  return groups
    .flatMap(logRecords)
    .filter(({ text }) => text.includes(sought))
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, group, text }) => `${new Date(at).toISOString()}  ${group.replace(/^.*\//, '')}  ${text}`);
}

/** The message when no line was found. */
export function nothingFoundMessage(sought: string): string {
  return sought === ''
    ? 'Nothing is logged yet.'
    : `No log line has «${sought}». Lines appear a second or two after a call.`;
}

/** Says why the logs cannot be read. */
export function unreadableLogsReason(error: unknown): string {
  if (Object(error).code === 'ECONNREFUSED') return 'That npm start has ended, and its logs with it.';
  return error instanceof Error ? error.message : String(error);
}
