import { test } from 'vitest';
import { type Breach, expectBreach, type History } from '../examples/history.ts';
import { publishAll } from '../examples/off-ramp-examples.ts';
import { mismatch, ordering, payinCreation, settlement } from '../examples/pay-in-examples.ts';
import { payment, time } from '../examples/truth-examples.ts';

function ordered(history: History): void {
  history.write(payinCreation());
  history.write(ordering());
}

const payins: readonly Breach[] = [
  [
    'no pay-in waits without a poll',
    (to) => {
      to.write(payinCreation());
      to.wait(3600);
      to.end();
    },
  ],
  [
    'only what was paid in full is completed',
    (to) => {
      ordered(to);
      to.write(settlement());
      to.end({ payments: [payment('PENDING')] });
    },
  ],
  [
    'what the rail has taken fails only at the rail',
    (to) => {
      ordered(to);
      to.write(settlement('FAILED'));
      to.end({ payments: [payment('PENDING')] });
    },
  ],
  [
    'no money is asked for twice',
    (to) => {
      ordered(to);
      to.end({ payments: [{ ...payment(), payable: 2 }] });
    },
  ],
  [
    'what can be paid is a pay-in that was ordered',
    (to) => {
      to.write(payinCreation());
      to.end({ payments: [payment()] });
    },
  ],
  [
    'a payment that was notified is in its pay-in',
    (to) => {
      ordered(to);
      to.wait(3600);
      to.end({ payments: [{ ...payment(), notifiedAt: [time(2)] }] });
    },
  ],
  [
    'what is paid is completed, or listed with its mismatch',
    (to) => {
      ordered(to);
      to.wait(3600);
      to.end({ payments: [payment()] });
    },
  ],
  [
    'what was paid in full in the end is completed',
    (to) => {
      ordered(to);
      to.write(mismatch());
      to.wait(3600);
      const [{ phases: first }, whole] = [payment('COMPLETED', '1'), payment()];
      const phases = [...first, ...whole.phases.map((phase) => ({ ...phase, at: time(100) }))];
      to.end({ payments: [{ ...whole, phases, notifiedAt: [time(200)] }] });
    },
  ],
  [
    'what the rail has taken back is known',
    (to) => {
      ordered(to);
      to.write(settlement());
      publishAll(to);
      to.wait(3600);
      const { phases, ...paid } = payment();
      const taken = phases.map((phase) => ({ ...phase, at: time(100), status: 'FAILED' as const }));
      to.end({ payments: [{ ...paid, phases: [...phases, ...taken], notifiedAt: [time(300)] }] });
    },
  ],
  [
    'a mismatch is kept where there was one',
    (to) => {
      ordered(to);
      to.write(mismatch());
      to.wait(3600);
      to.end({ payments: [payment()] });
    },
  ],
];

test.each(payins)('%s', (...breach) => {
  expectBreach(breach);
});
