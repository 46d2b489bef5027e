import { defineConfig } from 'vitest/config';

/**
 * The unit tests of the money core, and of the commands by which operators look at it and change it. They share one set of
 * modules, which takes a third of the time. Tests that read the sources themselves are left out: they would read mutants.
 */
export default defineConfig({
  test: {
    include: [
      'test/unit/{events,networks,off-ramps,operators,pay-ins}/**/*.test.ts',
      'test/unit/platform/{amount,consistent-reads,idempotency,idempotency-records,json,keep-book,retry,retry-on-conflict,sweep,transaction}.test.ts',
    ],
    // It compares a page with its source.
    exclude: ['test/unit/off-ramps/pay-out.test.ts'],
    isolate: false,
    testTimeout: 30_000,
  },
});
