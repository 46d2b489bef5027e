import { test } from 'vitest';
import { at, type Breach, createHistory, expectBreach, type History } from '../examples/history.ts';
import { confirmation, creation, submission } from '../examples/off-ramp-examples.ts';

const { verification } = submission();
const instant = (seconds: number) => Date.parse(at(seconds));

/** A write of the verification with these polls: each its time, in seconds, and that of the next one. */
function polled(polls: readonly (readonly [number, number])[], set: Readonly<Record<string, unknown>> = {}) {
  const [last, next] = polls.at(-1) ?? [1, 1];
  const told = polls.map(([time, after]) => [instant(time), 'NOT_FOUND', instant(after)]);
  return {
    verification: {
      ...verification,
      set: { polls: told, lastCheckedAt: at(last), nextCheckAt: at(next), dueShard: 'LOOK#1', ...set },
    },
  };
}

/** A write of the verification whose only poll ended so. */
function ended(code: string) {
  const over = { polls: [[instant(3), code]], lastCheckedAt: at(3), nextCheckAt: undefined, dueShard: undefined };
  return { verification: { ...verification, set: over } };
}

function submitted(to: History): void {
  to.write(creation());
  to.write(submission());
  to.write(polled([[3, 10]]));
}

const polls: readonly Breach[] = [
  [
    'an attempt begins without polls',
    (to) => {
      submitted(to);
      to.write(polled([[3, 10]], { attempt: 2, run: 1 }));
    },
  ],
  [
    'no poll of an attempt is lost or rewritten',
    (to) => {
      submitted(to);
      to.write(polled([[10, 20]]));
    },
  ],
  [
    'no poll of an attempt is lost or rewritten',
    (to) => {
      submitted(to);
      to.write(polled([]));
    },
  ],
  [
    'a write adds one poll at most',
    (to) => {
      submitted(to);
      to.write(
        polled([
          [3, 10],
          [10, 20],
          [20, 30],
        ]),
      );
    },
  ],
  [
    'a poll is told as it is kept',
    (to) => {
      submitted(to);
      to.write(
        polled(
          [
            [3, 10],
            [10, 20],
          ],
          { lastCheckedAt: at(11) },
        ),
      );
    },
  ],
  [
    'the next poll is told as it is planned',
    (to) => {
      submitted(to);
      to.write(
        polled(
          [
            [3, 10],
            [10, 20],
          ],
          { nextCheckAt: at(21) },
        ),
      );
    },
  ],
  [
    'a hash is told as verified exactly if it was',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.write(ended('DEPOSIT_VERIFIED'));
    },
  ],
  [
    'a hash is told as verified exactly if it was',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.write(confirmation());
      to.write(ended('SUPERSEDED'));
    },
  ],
];

test.each(polls)('%s', (...breach) => {
  expectBreach(breach);
});

test('one poll after another, and the next run of an attempt, break no rule', () => {
  const history = createHistory();
  submitted(history);
  const both = [
    [3, 10],
    [10, 20],
  ] as const;
  history.write(polled(both));
  history.write(polled(both, { run: 2, nextCheckAt: at(300) }));
  history.write(polled([...both, [300, 400]]));
});
