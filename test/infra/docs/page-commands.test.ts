import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sectionOf, textOf } from '#test/support/markdown.ts';

/** The blocks of commands of the restore; `blockWith` finds one by a text in it. */
const blocks = [...sectionOf(textOf('docs/disaster.md'), 'Restoring to a second').matchAll(/^```bash\n(.*?)^```$/gms)];
const blockWith = (part: string) => blocks.map(([, text = '']) => text).find((text) => text.includes(part)) ?? '';
const [begin, stop, putBack, start, send] = ['AT=', 'functions()', 'put-back', 'delete-function', 'redrive-del'].map(
  blockWith,
);

/** An `aws` that answers from files: `0.<function>` has its reserved concurrency; `failing` has no answer. */
const aws = `#!/bin/bash
F=$4
echo "$1 $2" >> calls
case "$1 $2" in
  'cloudformation describe-stacks') cat status ;;
  'cloudformation list-stack-resources') [[ $* == *EventSourceMapping* ]] && echo m1 || printf 'a\\tb\\tc\\n' ;;
  'lambda get-event-source-mapping') echo Disabled ;;
  'lambda get-function-concurrency') [ "$F" = "$(cat failing 2>&-)" ] && exit 255; cat 0.$F 2>&- || { [[ $* == *'||'* ]] && echo 0 || echo None; } ;;
  'lambda put-function-concurrency') echo $6 > 0.$F; echo $6 ;;
  'lambda delete-function-concurrency') rm -f 0.$F ;;
esac
`;

const npm = `#!/bin/bash
case "$*" in
  *clients*--after*) echo '{"items":[{"clientId":"c2"}]}' ;;
  *clients*) echo '{"items":[{"clientId":"c1"}],"nextAfter":"c1"}' ;;
  *webhooks*) echo '{"items":[{"webhookId":"w","isActive":true},{"webhookId":"x","isActive":false}]}' ;;
  *redrive-deliveries*) echo "$*" | sed 's/.*redrive-deliveries //; s/ --stage.*//' >> "$HOME/asked" ;;
  *--json*) printf '{"items":[{"what":"off-ramp created","isThere":false,"at":"2","clientId":"c","about":"o2"},{"what":"off-ramp created","isThere":false,"at":"1","clientId":"c","about":"o1"}]}' ;;
  *put-back*) echo "$*" | sed 's/.*put-back //; s/ --stage.*//' >> "$HOME/asked" ;;
esac
`;

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'disaster-'));
  for (const [name, text] of Object.entries({ aws, npm })) {
    writeFileSync(join(directory, name), text);
    chmodSync(join(directory, name), 0o755);
  }
  writeFileSync(join(directory, '0.c'), '30\n');
  writeFileSync(join(directory, 'README'), 'no list of off-ramps\n');
});

afterEach(() => rmSync(directory, { recursive: true }));

const type = (...typed: readonly (string | undefined)[]) => {
  const env = { ...process.env, HOME: directory, PATH: `${directory}:${process.env['PATH']}` };
  return execFileSync('bash', ['-c', typed.join('\n')], {
    cwd: directory,
    env,
    stdio: 'pipe',
    timeout: 20_000,
  }).toString();
};

const reserved = () =>
  globSync('0.*', { cwd: directory }).map((file) => [file, readFileSync(join(directory, file), 'utf8').trim()]);

test('a stop that breaks off can be repeated, and the start gives each function its former concurrency', () => {
  writeFileSync(join(directory, 'failing'), 'b');
  type(begin, stop);
  writeFileSync(join(directory, 'failing'), '');
  type(begin, stop);
  expect(Object.fromEntries(reserved())).toEqual({ '0.a': '0', '0.b': '0', '0.c': '0' });
  const functions = stop?.split('\n').filter((line) => /^\w+\(\)/.test(line));
  expect(type(begin, ...(functions ?? []), start)).not.toContain('still stopped');
  expect(reserved()).toEqual([['0.c', '30']]);
});

test('off-ramps are put back in the order of their creation, and a second run makes only the same calls', () => {
  type(begin, putBack, putBack);
  expect(readFileSync(join(directory, 'asked'), 'utf8')).toBe('o1\no2\n'.repeat(2));
});

test('missed events since the day before are sent to the active webhooks of every client, on all pages', () => {
  type(begin, send);
  const asked = readFileSync(join(directory, 'asked'), 'utf8');
  expect(asked).toBe('c1 w --since 2026-11-26T10:00:00Z\nc2 w --since 2026-11-26T10:00:00Z\n');
});

test.each([
  ['UPDATE_COMPLETE', false],
  ['ROLLBACK_COMPLETE', true],
])('the command that removes a stack that was never fully created, for one that is %s', (status, isRemoved) => {
  writeFileSync(join(directory, 'status'), status);
  const failed = sectionOf(textOf('docs/on-aws.md'), 'When the first deployment fails');
  const [, remove] = /^```bash\n(.*?)^```$/ms.exec(failed) ?? [];
  type('DATA=payin-offramp-prod-data', remove);
  const calls = readFileSync(join(directory, 'calls'), 'utf8');
  const removing = [
    'dynamodb delete-table',
    'cloudformation update-termination-protection',
    'cloudformation delete-stack',
  ];
  expect(removing.map((call) => calls.includes(call))).toEqual(removing.map(() => isRemoved));
});
