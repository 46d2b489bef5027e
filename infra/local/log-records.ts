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
