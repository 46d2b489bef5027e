import { defineConfig } from 'vitest/config';

// Stryker runs the tests in threads, where none can change the time zone. One of them shows that a date without a zone
// is read in Greenwich, which proves nothing in Greenwich.
process.env['TZ'] = 'America/Bogota';

/**
 * The unit tests of the money core, of the commands by which operators look at it and change it, and of webhooks. They
 * share one set of modules, which takes a third of the time. Tests that read the sources themselves are left out: they
 * would read mutants.
 */
export default defineConfig({
  test: {
    include: [
      'test/unit/{events,networks,off-ramps,operators,pay-ins,webhooks}/**/*.test.ts',
      'test/unit/platform/{amount,consistent-reads,decrypt,idempotency,idempotency-records,json,keep-book,retry,retry-on-conflict,sweep,transaction}.test.ts',
    ],
    exclude: [
      // It compares a page with its source.
      'test/unit/off-ramps/pay-out.test.ts',
      // They call real sockets, or play many minutes of deliveries, for each mistake that they reach.
      'test/unit/webhooks/{call-webhook*,own-endpoints}.test.ts',
    ],
    isolate: false,
    testTimeout: 30_000,
  },
});
