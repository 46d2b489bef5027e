import { test } from 'vitest';
import { type Breach, createHistory, expectBreach, type History } from '../examples/history.ts';
import { creation, funded, HASH, ID, submission } from '../examples/off-ramp-examples.ts';
import { ordering, PAYIN, payinCreation } from '../examples/pay-in-examples.ts';
import { report, transfer } from '../examples/truth-examples.ts';

const execution = { name: `${ID}-1`, status: 'SUCCEEDED', transitions: 121 } as const;

function submitted(history: History): void {
  history.write(creation());
  history.write(submission());
}

const breaches: readonly Breach[] = [
  [
    'an attempt costs so many transitions at most',
    (to) => {
      submitted(to);
      to.end({ calls: [report] }, { executions: [{ ...execution, transitions: 251 }] });
    },
  ],
  [
    'an attempt runs again only after it broke off',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { run: 2 } } });
      to.end({ calls: [report] }, { executions: [execution, { ...execution, name: `${ID}-1-2` }] });
    },
  ],
  [
    'only a submission begins an attempt',
    (to) => {
      submitted(to);
      to.end();
    },
  ],
  [
    'the custodian is asked so often for a hash at most',
    (to) => {
      submitted(to);
      to.end({ calls: [report], custodianCalls: new Map([[HASH, 151]]) });
    },
  ],
  [
    'the rail is asked so often for a pay-in at most',
    (to) => {
      to.write(payinCreation());
      to.write(ordering());
      to.end({ railCalls: new Map([[PAYIN, 1001]]) });
    },
  ],
  [
    'the tables are asked so often for one thing at most',
    (to) => {
      submitted(to);
      for (let number = 0; number < 60; number += 1) to.ask('operations', { operationId: ID, record: 'OPERATION' });
      to.end({ calls: [report] });
    },
  ],
];

test.each(breaches)('%s', (...breach) => {
  expectBreach(breach);
});

test('an attempt that broke off, and many questions with reasons, break no rule', () => {
  const history = createHistory();
  funded(history);
  for (let number = 0; number < 90; number += 1) history.ask('operations', { operationId: ID, record: 'OPERATION' });
  history.end(
    { calls: [report], transfers: [transfer()], custodianCalls: new Map([[HASH, 40]]) },
    { executions: [{ ...execution, status: 'FAILED' }, execution] },
  );
});
