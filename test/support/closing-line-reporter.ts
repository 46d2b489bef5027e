import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that says how many tests passed and failed. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const brokenModules = modules.filter((module) => module.state() === 'failed' && !hasFailedTest(module)).length;
    const passed = states.filter((state) => state === 'passed').length;
    // An error outside of every test, such as a service that could not be started, is a failure too.
    const failed = states.filter((state) => state === 'failed').length + brokenModules + errors.length;
    const skipped = states.filter((state) => state === 'skipped').length;
    process.on('exit', (code) => {
      // A run may fail without a failed test, because of code that its tests do not reach: that is a failure too.
      const failures = code === 0 ? failed : Math.max(failed, 1);
      process.stdout.write(`\n${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
    });
  }
}

/** A module can fail without any test of it failing: when it cannot be loaded. */
function hasFailedTest(module: TestModule): boolean {
  return [...module.children.allTests()].some((test) => test.result().state === 'failed');
}
