import { test } from 'vitest';
import { type Breach, but, expectBreach, type History } from '../examples/history.ts';
import { creation, submission, windowEnd } from '../examples/off-ramp-examples.ts';

function submitted(history: History): void {
  history.write(creation());
  history.write(submission());
}

const verifications: readonly Breach[] = [
  [
    'a next poll is due',
    (to) => {
      to.write(creation());
      to.write(but(submission(), 'verification', { dueShard: undefined }));
    },
  ],
  [
    'one attempt follows another',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { attempt: 3 } } });
    },
  ],
  [
    'one run of an attempt follows another',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { run: 3 } } });
    },
  ],
  [
    'an attempt keeps what it was started with',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { txHash: 'another' } } });
    },
  ],
  [
    'an attempt that is over is not opened again',
    (to) => {
      submitted(to);
      to.wait(86_400);
      to.write(windowEnd());
      to.write({ verification: { ...submission().verification, set: { nextCheckAt: 'later', dueShard: 'LOOK#1' } } });
    },
  ],
  [
    'the verification is of the last attempt',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { attempt: 2 } } });
    },
  ],
  [
    'the verification looks for the declared hash',
    (to) => {
      to.write(creation());
      to.write(but(submission(), 'verification', { txHash: 'another' }));
    },
  ],
  [
    'an attempt has a next poll, or its end was published',
    (to) => {
      submitted(to);
      to.write({
        verification: { ...submission().verification, set: { nextCheckAt: undefined, dueShard: undefined } },
      });
    },
  ],
  [
    'the end of a window is that of the last attempt',
    (to) => {
      submitted(to);
      to.wait(86_400);
      to.write({ ...windowEnd(), event: windowEnd(2, 2).event, verification: undefined });
    },
  ],
  [
    'an open window is not ended',
    (to) => {
      submitted(to);
      to.wait(86_000);
      to.write(windowEnd());
    },
  ],
  [
    'a window ends once',
    (to) => {
      submitted(to);
      to.wait(86_400);
      to.write(windowEnd());
      to.write(windowEnd(3));
    },
  ],
];

test.each(verifications)('%s', (...breach) => {
  expectBreach(breach);
});
