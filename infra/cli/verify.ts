import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings } from '#infra/stage/read-settings.ts';
import { credentialOptions } from './providers/check-providers.ts';
import { readOptionsOrExit } from './read-options.ts';
import { type CheckCommand, checkCommands, checklistLines, checklistRows } from './verify-rows.ts';

const USAGE = `npm run verify -- --stage staging|prod [--profile <profile>] [--client <file>]
    [--custodian-credentials <file>] [--sender-credentials <file>] [--rail-credentials <file>]
  Looks at a stage on AWS: runs npm run preflight, smoke, try-permissions and providers:check, and then prints a line for
  each row of docs/on-aws.md: what a command found, or who checks it by hand. Exit status 1: a command failed.
  Not run: smoke in production without --client, try-permissions in production, providers:check unless the credentials
  of each provider of the stage are given.
  The --help of each command says what it needs.`;

const ofProviders = ['custodian-credentials', 'sender-credentials', 'rail-credentials'] as const;

const { stage, given } = readOptionsOrExit(USAGE, () => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ stage: text, profile: text, client: text },
      ...{ 'custodian-credentials': text, 'sender-credentials': text, 'rail-credentials': text },
    },
  });
  if (values.stage !== 'staging' && values.stage !== 'prod') throw new Error('--stage takes staging or prod.');
  if (values.stage === 'staging' && values.client !== undefined) throw new Error('--client belongs to production.');
  const stageName: 'staging' | 'prod' = values.stage;
  return { stage: stageName, given: new Map(Object.entries(values)) };
});

const optionsOf = (...names: readonly string[]) =>
  names.flatMap((name) => (given.has(name) ? [`--${name}`, String(given.get(name))] : []));

// Every provider is asked, or none: one that was not asked must not pass because another one was.
const asked = credentialOptions(readSettings(stage));

/** The options of each command; `undefined` if it cannot be run. */
const words: Readonly<Record<CheckCommand, readonly string[] | undefined>> = {
  preflight: optionsOf('stage', 'profile'),
  smoke: stage === 'staging' || given.has('client') ? optionsOf('stage', 'profile', 'client') : undefined,
  'try-permissions': stage === 'staging' ? optionsOf('stage', 'profile') : undefined,
  'providers:check':
    asked.length > 0 && asked.every((name) => given.has(name)) ? optionsOf('stage', ...ofProviders) : undefined,
};

const outcomes: Partial<Record<CheckCommand, boolean>> = {};
for (const command of checkCommands) {
  if (words[command] === undefined) continue;
  process.stdout.write(`\nnpm run ${command}\n`);
  const child = spawn('npm', ['run', '--silent', command, '--', ...words[command]], { stdio: 'inherit' });
  const [status] = await once(child, 'close');
  outcomes[command] = status === 0;
}
const rows = checklistRows(readFileSync(new URL('../../docs/on-aws.md', import.meta.url), 'utf8'));
process.stdout.write(`\n${checklistLines(rows, stage, outcomes).join('\n')}\n`);
process.exitCode = Object.values(outcomes).includes(false) ? 1 : 0;
