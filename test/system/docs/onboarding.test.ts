import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { plainProgress } from '#infra/local/progress.ts';
import { eventually } from '#test/support/eventually.ts';
import { textOf } from '#test/support/markdown.ts';
import { filledIn, stepsOf, valuesIn } from '#test/support/printed.ts';

/** Runs a command; returns what it prints to stdout and stderr, without npm's own lines. */
function printedBy(command: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, npm_config_loglevel: 'silent' };
    execFile('bash', ['-c', command], { cwd: projectDirectory, env }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`.trimEnd()),
    );
  });
}

test('the commands of docs/onboarding.md lead from a service without data to a credited off-ramp', async ({
  onTestFinished,
}) => {
  const port = await freePort();
  const { signal } = new AbortController();
  const progress = plainProgress(process.stderr);
  const service = await startLocalService({ port, windowSeconds: undefined, isEmpty: true, progress, signal });
  onTestFinished(() => service.stop());
  const page = textOf('docs/onboarding.md').replaceAll('http://localhost:8080', service.outputs.baseUrl);
  const steps = stepsOf(page);
  expect(steps).toHaveLength(11);
  const values = new Map<string, string>();
  for (const { command, printed = '' } of steps) {
    values.delete('audit-id');
    const typed = filledIn(command, values);
    const expected = filledIn(printed, values).trimEnd();
    // A lookup is repeated until the service has done its work; a change is made once.
    const looks = /^npm run ops -- (client|operation) /.test(typed);
    const said = looks
      ? await eventually(
          () => printedBy(typed),
          (text) => valuesIn(text, expected) !== undefined,
        )
      : await printedBy(typed);
    const found = valuesIn(said, expected);
    if (found === undefined) expect(said, typed).toBe(expected);
    for (const [name, value] of found ?? []) values.set(name, value);
  }
  expect([...values.keys()]).toContain('operation-id');
});
