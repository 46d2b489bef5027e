import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';

const { seed, offRamps, printed, status } = inject('rounds');

/** Milliseconds, for busy machines: the rounds run at a low priority. */
const LONGEST = 1_800_000;

test(
  `every rule holds in ${offRamps} off-ramps of seed ${seed}`,
  async () => {
    const read = () => readFileSync(status, 'utf8');
    while (read() === '') await setTimeout(500);
    if (read() !== '0') expect.fail(readFileSync(printed, 'utf8'));
  },
  LONGEST,
);
