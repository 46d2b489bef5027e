import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const guard = 'Refuse a commit that is not after the one that runs';
const workflows = fileURLToPath(new URL('../../../.github/workflows/', import.meta.url));

/** The script of a step, by its name. */
function scriptOf(workflow: string, step: string): string {
  const [, after = ''] = readFileSync(join(workflows, workflow), 'utf8').split(`- name: ${step}\n`);
  const [, block = ''] = /\brun: \|\n((?: {10}.*\n?)+)/.exec(after) ?? [];
  return block.replaceAll(/^ {10}/gm, '');
}

/** A folder in which a step of a workflow runs, with commands that are these scripts. */
function workplace(commands: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'step-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...words], { cwd: folder, env })
      .toString()
      .trim();
  const run = (script: string, also: Readonly<Record<string, string>>) => {
    const { status, stdout } = spawnSync('bash', ['-e', '-c', script], { cwd: folder, env: { ...env, ...also } });
    return { status, said: stdout.toString() };
  };
  return { git, run };
}

describe('deploy.yml takes a stage only forwards', () => {
  // For a missing stack, Outputs[?…] is null, which the command line prints as None; an empty list prints nothing.
  test('and asks for outputs in a way that is empty where a stack has none', () => {
    expect(scriptOf('deploy.yml', guard)).toContain('Stacks[].Outputs[] | [?');
  });

  /** Commits: the deployed one, one before it, one after it and one on another branch. */
  function deploying(aws: string) {
    const { git, run } = workplace({ aws });
    git('init', '--quiet');
    const commit = () => {
      git('commit', '--quiet', '--allow-empty', '--message', 'none');
      return git('rev-parse', 'HEAD');
    };
    const [before, now, after] = [commit(), commit(), commit()];
    git('checkout', '--quiet', before);
    git('commit', '--quiet', '--allow-empty', '--message', 'another');
    const commits = { before, now, after, beside: git('rev-parse', 'HEAD'), unknown: 'f'.repeat(40) };
    const deploy = (RUNNING: keyof typeof commits | 'none') =>
      run(scriptOf('deploy.yml', guard), {
        ...{ STACKS: 'payin-offramp-prod', GITHUB_SHA: now, RUNNING: RUNNING === 'none' ? '' : commits[RUNNING] },
      }).status;
    return deploy;
  }

  const says = 'echo "$RUNNING"';

  test.each(['before', 'now', 'none'] as const)('where %s runs: deployed', (running) => {
    expect(deploying(says)(running)).toBe(0);
  });

  test.each(['after', 'beside', 'unknown'] as const)('where %s runs: refused', (running) => {
    expect(deploying(says)(running)).not.toBe(0);
  });

  test('a stage goes one release further, not two: a stage that has skipped one gets that one first', () => {
    const { git, run } = workplace({ aws: says });
    git('init', '--quiet');
    const [running, first, second] = ['v1', 'v2', 'v3'].map((tag) => {
      for (const one of ['a', 'b']) git('commit', '--quiet', '--allow-empty', '--message', one);
      git('tag', tag, 'HEAD^');
      return git('rev-parse', 'HEAD');
    });
    const deploy = (GITHUB_SHA = '', RUNNING = '') =>
      run(scriptOf('deploy.yml', guard), { STACKS: 'payin-offramp-prod', GITHUB_SHA, RUNNING }).status;
    expect([deploy(running, running), deploy(first, running), deploy(second, first)]).toEqual([0, 0, 0]);
    expect(deploy(second, running)).toBe(1);
  });

  test('before its first deployment a stage is deployed; where nobody may say what runs, it is refused', () => {
    const refusing = (why: string) => `echo "An error occurred: ${why}" >&2; exit 254`;
    expect(deploying(refusing('Stack with id payin-offramp-prod-data does not exist'))('none')).toBe(0);
    expect(deploying(refusing('not authorized to perform: cloudformation:DescribeStacks'))('none')).toBe(1);
  });
});

describe('drift.yml compares every stack, however long AWS takes', () => {
  /** AWS is still detecting at the first two polls of each stack, and then finds this drift in the service's stack. */
  const compared = (found: readonly object[], count = found.length, status = 'DETECTION_COMPLETE') => {
    const aws = `case "$2" in
      detect-stack-drift) echo "$4" > id; echo id; echo "began $4" >> said;;
      describe-stack-drift-detection-status) echo asked >> "$(cat id)"
        [ "$(wc -l < "$(cat id)")" -gt 2 ] || { printf 'DETECTION_IN_PROGRESS\\tNone\\tUser Initiated\\n'; exit; }
        grep -q service id && printf '${status}\\t${count}\\tNone\\n' || printf '${status}\\t0\\tNone\\n';;
      describe-stack-resource-drifts)
        [ "$4" = payin-offramp-prod-service ] && cat found || echo '{"StackResourceDrifts":[]}';;
    esac`;
    const { run } = workplace({ aws, sleep: 'true' });
    const script = `cat > found <<< '${JSON.stringify({ StackResourceDrifts: found })}'\n`;
    return run(script + scriptOf('drift.yml', 'Compare the account with the stacks'), { STACKS: 'payin-offramp-prod' });
  };
  const drift = { LogicalResourceId: 'DeliveriesQueue', StackResourceDriftStatus: 'DELETED' };
  const policy = (PropertyPath: string, ExpectedValue: string, ActualValue: string) => ({
    ...{ LogicalResourceId: 'ClientsApi', ResourceType: 'AWS::ApiGateway::RestApi', PhysicalResourceId: 'wmvd2s08ng' },
    ...{ StackResourceDriftStatus: 'MODIFIED', PropertyDifferences: [{ PropertyPath, ExpectedValue, ActualValue }] },
  });
  const arn = 'arn:aws:execute-api:us-east-1:111122223333:';

  test('and passes if nothing differs', () => {
    const stacks = ['data', 'service', 'operators'];
    expect(compared([])).toEqual({
      status: 0,
      said: stacks.map((name) => `payin-offramp-prod-${name}: DETECTION_COMPLETE\t0\tNone\n`).join(''),
    });
  });

  test('and fails with the resources that differ, or stacks that were not compared', () => {
    const { status, said } = compared([drift]);
    expect([status, said]).toEqual([1, expect.stringMatching(/DeliveriesQueue.*\npayin-offramp-prod-operators: /)]);
    expect(compared([], 0, 'DETECTION_FAILED').status).toBe(1);
    // The drifted resource is on a later page of the list.
    expect(compared([], 1).status).toBe(1);
  });

  // As a new API read back: https://github.com/go-to-k/cdk-real-drift/issues/676
  test("and takes an API's own ARN in its policy for the short form that the template has, but no other ARN", () => {
    const same = policy('/Policy/Statement/0/Resource', 'execute-api:/*', `${arn}wmvd2s08ng/*`);
    expect(compared([same]).status).toBe(0);
    expect(
      compared([policy('/Policy', '{"Resource":"execute-api:/*"}', `{"Resource":"${arn}wmvd2s08ng/*"}`)]).status,
    ).toBe(0);
    expect(compared([same, drift]).status).toBe(1);
    expect(compared([same], 2).status).toBe(1);
    expect(compared([policy('/Policy/Statement/0/Resource', 'execute-api:/*', `${arn}another/*`)]).status).toBe(1);
    expect(compared([policy('/Policy/Statement/0/Effect', 'Deny', 'Allow')]).status).toBe(1);
  });
});

test('a session of deploy.yml lasts as long as its job may', () => {
  const text = readFileSync(join(workflows, 'deploy.yml'), 'utf8');
  const [, minutes] = /timeout-minutes: (\d+)/.exec(text) ?? [];
  const [, seconds] = /role-duration-seconds: (\d+)/.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(60 * Number(minutes));
});

test('the output of pipeline.yml says of which commit it was built', () => {
  const [, build = ''] = readFileSync(join(workflows, 'pipeline.yml'), 'utf8').split('\n  build:\n');
  expect(build).toMatch(/cdk synth .*-c commit="\$GITHUB_SHA"/);
});
