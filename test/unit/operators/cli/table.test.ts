import { expect, test } from 'vitest';
import { table } from '#infra/cli/table.ts';

test('an answer is a table: names beside values, and lists with a line for each', () => {
  const answer = {
    id: 'operation-1',
    reasons: ['WRONG_TOKEN', 'WRONG_AMOUNT'],
    note: null,
    deposits: [
      { txHash: '0xab', amount: '12.5' },
      { txHash: '0xabcdef', amount: '1', reasons: ['WRONG_SENDER'] },
    ],
    events: [],
    person: { name: 'Example' },
  };
  expect(table(answer)).toBe(
    [
      'id       operation-1',
      'reasons  WRONG_TOKEN, WRONG_AMOUNT',
      'note     –',
      'events   none',
      '',
      'deposits',
      '  txHash    amount  reasons',
      '  0xab      12.5    –',
      '  0xabcdef  1       WRONG_SENDER',
      '',
      'person',
      '  name  Example',
    ].join('\n'),
  );
});

test('text of a client cannot move the cursor or add a line', () => {
  expect(table({ reference: 'paid\u001b[2K\r\nstatus  COMPLETED\u202e' })).toBe(
    'reference  paid\\u{1b}[2K\\u{d}\\u{a}status  COMPLETED\\u{202e}',
  );
});

test('a list that is wider than the terminal is shown item by item', () => {
  const deposits = [
    { txHash: '0xab', amount: '12.5' },
    { txHash: '0xcd', amount: '1' },
  ];
  expect(table({ deposits }, 10)).toBe(
    ['', 'deposits', '  txHash  0xab', '  amount  12.5', '', '  txHash  0xcd', '  amount  1'].join('\n'),
  );
});
