import { expect, test } from 'vitest';
import { logRecords } from '#infra/local/log-records.ts';

test('what was logged at once is one record again', () => {
  const texts = [
    'START RequestId: 16d24a76 Version: $LATEST',
    '{',
    "  code: 'MESSAGE_HANDLED',",
    '  milliseconds: 620',
    '}',
    "{ code: 'CALL_DONE', milliseconds: 1 }",
    'Error: no',
    '    at handler (file:///var/task/handler.mjs:1:2)',
    'END RequestId: 16d24a76',
    'REPORT RequestId: 16d24a76\tDuration: 1691 ms',
  ];
  const records = logRecords(texts.map((text, at) => ({ group: 'g', at, text })));
  expect(records).toEqual([
    { group: 'g', at: 1, text: "{ code: 'MESSAGE_HANDLED', milliseconds: 620 }" },
    { group: 'g', at: 5, text: "{ code: 'CALL_DONE', milliseconds: 1 }" },
    { group: 'g', at: 6, text: 'Error: no at handler (file:///var/task/handler.mjs:1:2)' },
  ]);
});
