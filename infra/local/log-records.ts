import type { LogLine } from './function-logs.ts';

/**
 * What was logged at once, in one line: what a function logs as one object, the local AWS keeps as several lines. Without
 * what the runtime says of each call's begin and end.
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
