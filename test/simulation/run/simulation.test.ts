import { expect, inject, test } from 'vitest';
import { playMany } from './play-many.ts';

const OFF_RAMPS = 5000;
const seed = inject('seed');

/** Milliseconds, for busy machines: this runs at a low priority. */
const LONGEST = 1_800_000;

// In threads of their own, because the test runner loads modules more slowly.
test(
  `every rule holds in ${OFF_RAMPS} off-ramps of seed ${seed}`,
  async () => {
    const { failures } = await playMany({
      topology: inject('topology'),
      seed,
      from: 0,
      offRamps: OFF_RAMPS,
      mostFailures: 1,
      progress: () => {},
    });
    if (failures.length > 0) expect.fail(failures.join('\n'));
  },
  LONGEST,
);
