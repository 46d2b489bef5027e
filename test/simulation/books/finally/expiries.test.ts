import { test } from 'vitest';
import { type Breach, createHistory, expectBreach, type History } from '../examples/history.ts';
import { cancellation, creation, publishAll, submission, windowEnd } from '../examples/off-ramp-examples.ts';
import { report, time, transfer } from '../examples/truth-examples.ts';

/** Seconds to the ends of the window and of the off-ramp. */
const WINDOW = 86_400;
const END = 90_000;

function windowEnded(to: History): void {
  to.write(creation());
  to.write(submission());
  to.wait(WINDOW);
  to.write(windowEnd());
}

function ended(to: History): void {
  windowEnded(to);
  to.wait(END);
  to.write(cancellation(3, 'EXPIRED', END));
  publishAll(to);
}

const expiries: readonly Breach[] = [
  [
    'no off-ramp ends unpaid before its time',
    (to) => {
      windowEnded(to);
      to.write(cancellation(3, 'EXPIRED', WINDOW));
    },
  ],
  [
    'no off-ramp ends unpaid while its hash is looked for',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.wait(END);
      to.write(cancellation(2, 'EXPIRED', END));
    },
  ],
  [
    'no off-ramp ends unpaid whose reported deposit is there',
    (to) => {
      ended(to);
      to.end({ transfers: [transfer([[5, 'UNCONFIRMED']])] });
    },
  ],
  [
    'an off-ramp that nobody pays ends',
    (to) => {
      to.write(creation());
      publishAll(to);
      to.wait(END + 300);
      to.end();
    },
  ],
];

test.each(expiries)('%s', (...breach) => {
  expectBreach(breach);
});

test('an off-ramp that ends unpaid, and one that cannot yet, break no rule', () => {
  const [unpaid, paidLate, hindered] = [createHistory(), createHistory(), createHistory()];
  ended(unpaid);
  unpaid.end({ calls: [report] });
  ended(paidLate);
  paidLate.end({ calls: [report], transfers: [transfer([[END, 'UNCONFIRMED']])] });
  hindered.write(creation());
  publishAll(hindered);
  hindered.wait(END + 300);
  hindered.end({ quietSince: time(END + 200) });
});
