import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, inject, test } from 'vitest';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { functionLogs } from '#infra/local/function-logs.ts';
import { logRecords } from '#infra/local/log-records.ts';
import { deployedFunctions } from '#test/support/deployed-functions.ts';
import { eventually } from '#test/support/eventually.ts';

const aws = awsOf(inject('outputs'));
const functions = deployedFunctions(aws);
const secretsManager = new SecretsManagerClient(aws);

/** Everything logged since a time, by log. */
async function recordsSince(since: number): Promise<readonly (readonly string[])[]> {
  const groups = await functionLogs(aws, since);
  return groups.map((lines) => logRecords(lines).map(({ text }) => text));
}

/** Runs a function of the canary; returns its log line and its metric. */
async function runOf(folder: 'call-as-client' | 'take-off-ramp', metric: string) {
  const since = Date.now();
  await functions.invoke(await functions.find(folder));
  const records = await eventually(
    async () => (await recordsSince(since)).find((one) => one.some((text) => text.includes(metric))) ?? [],
    (found) => found.some((text) => text.includes('CALL_DONE')),
  );
  const [done = '', ...others] = records.filter((text) => text.includes('CALL_DONE'));
  expect(others).toEqual([]);
  const failures = records.flatMap((text) => new RegExp(`"${metric}":(\\d)`).exec(text)?.[1] ?? []);
  return { done, failures };
}

const reported = (outcome: string, failures: string) => ({
  done: expect.stringMatching(new RegExp(`canary: '${outcome}`)),
  failures: [failures],
});

test('the canary has no client until npm run canary has made one; then it calls as it, and takes an off-ramp to its payout; a wrong secret is a failure', async () => {
  expect(await runOf('call-as-client', 'canary failures')).toEqual(reported('NOT_SET_UP', '0'));

  const { port } = new URL(inject('outputs').baseUrl);
  const command = ['run', '--silent', 'canary', '--', '--stage', 'local', '--port', port];
  const { stdout } = await promisify(execFile)('npm', command, { cwd: projectDirectory });
  const [, clientId] = /calls as the client (\S+)\.$/m.exec(stdout) ?? [];
  expect(stdout).not.toContain('clientSecret');

  expect(await runOf('call-as-client', 'canary failures')).toEqual(reported('DONE', '0'));
  const since = Date.now();
  const taken = await runOf('take-off-ramp', 'canary off-ramp failures');
  expect(taken).toEqual(reported('DONE', '0'));
  // The canary calls nobody: no log line about its off-ramp is an alarm.
  const [, operationId = ''] = /\/withdrawal\/([\w-]{36})/.exec(taken.done) ?? [];
  const about = (await recordsSince(since)).flat().filter((text) => text.includes(operationId));
  expect(about.length).toBeGreaterThan(5);
  expect(about.filter((text) => /\bERROR\b/.test(text))).toEqual([]);

  const wrong = JSON.stringify({ clientId, clientSecret: 'wrong' });
  const SecretId = inject('stack')['CanarySecret'];
  await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString: wrong }));
  expect(await runOf('call-as-client', 'canary failures')).toEqual(reported('FAILED.*401 INVALID_CLIENT', '1'));
});
