import { expect, test } from 'vitest';
import { matchingLines, nothingFoundMessage, unreadableLogsReason } from '#infra/local/log-records.ts';

const line = (group: string, at: number, text: string) => ({ group: `/aws/lambda/${group}`, at, text });

const groups = [
  [
    line('RoutesLog', 2000, 'START RequestId: 1'),
    line('RoutesLog', 2000, '{'),
    line('RoutesLog', 2001, "  code: 'REQUEST_SERVED',"),
    line('RoutesLog', 2002, '}'),
  ],
  [line('Publish', 1000, "{ code: 'CALL_DONE' }\n")],
];

test('logs are one line for each record, oldest first, of all groups or only those with a text', () => {
  const served = "1970-01-01T00:00:02.000Z  RoutesLog  { code: 'REQUEST_SERVED', }";
  expect(matchingLines('', groups)).toEqual(["1970-01-01T00:00:01.000Z  Publish  { code: 'CALL_DONE' }", served]);
  expect(matchingLines('SERVED', groups)).toEqual([served]);
});

test('a search for a text that no line has says so', () => {
  expect(matchingLines('nonsense', groups)).toEqual([]);
  expect(nothingFoundMessage('nonsense')).toContain('«nonsense»');
});

test('a run that has ended is distinguished from any other failure', () => {
  expect(unreadableLogsReason(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toContain('has ended');
  expect(unreadableLogsReason(new Error('Another one.'))).toBe('Another one.');
});
