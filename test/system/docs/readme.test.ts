import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, type TestContext, test } from 'vitest';
import { runProcess } from '#infra/local/run-process.ts';
import { eventually } from '#test/support/eventually.ts';
import { shellIn } from '#test/support/pasted.ts';
import { sampleCommands, webhookCommands } from '#test/support/pasted-commands.ts';
import { newTenant } from '#test/support/tenant.ts';
import { subscriber } from '#test/support/webhook-subscriber.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Whether this machine has the shell: most Linux systems have bash, macOS has zsh. */
function isHere(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit']);
    return true;
  } catch {
    return false;
  }
}

/**
 * A folder with what `npm start` leaves there for the samples: outputs with a separate client and its webhook. The
 * folder is deleted when the test of this context has ended: vitest's global `onTestFinished` cannot tell which of
 * several concurrent tests calls it.
 */
async function folderOfSamples(shell: string, { onTestFinished }: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  const client = await newTenant(`readme-${shell}`);
  const endpoints = await subscriber();
  const { webhookId } = await endpoints.subscribe(client);
  onTestFinished(async () => {
    await endpoints.stop();
    await rm(folder, { recursive: true });
  });
  await mkdir(join(folder, '.local'));
  const outputs = { ...inject('outputs'), clients: [client], webhook: { id: webhookId } };
  await writeFile(join(folder, '.local', 'outputs.json'), JSON.stringify(outputs));
  return folder;
}

const [address = '', token = '', create = '', deposit = '', report = '', read = '', operation = ''] = sampleCommands;
const [names = '', ...calls] = webhookCommands;
const [, deliveries = ''] = calls;

/** An event takes a moment to reach the webhook. */
const isOfDelivery = (answer: unknown) => JSON.stringify(answer).includes('"id":"dlv_');

describe.each(['bash', 'zsh'] as const)(
  'the commands of the README and of docs/webhooks.md in an interactive %s',
  (shell) => {
    test.skipIf(!isHere(shell))('do what they say, twice in a row', async (context) => {
      const { ask, paste, end } = shellIn(await folderOfSamples(shell, context), shell);
      for (let round = 0; round < 2; round += 1) {
        paste(address);
        paste(token);
        expect(await ask(create)).toMatchObject({ operation: { status: 'AWAITING_DEPOSIT' } });
        expect(await ask(deposit)).toMatchObject({ state: 'CONFIRMED' });
        expect(await ask(report)).toMatchObject({ status: 'VERIFYING' });
        const isVerified = (answer: unknown) => JSON.stringify(answer).includes('"VERIFIED"');
        await eventually(() => ask(read), isVerified);
        const isCompleted = (answer: unknown) => JSON.stringify(answer).includes('"status":"COMPLETED"');
        await eventually(() => ask(operation), isCompleted);
        paste(names);
        await eventually(() => ask(deliveries), isOfDelivery);
        const answers = [];
        for (const call of calls) answers.push(await ask(call));
        expect(answers, JSON.stringify(answers)).toMatchObject([
          { delivered: true },
          { deliveries: [{ status: expect.any(String) }] },
          { body: expect.stringContaining('"data"') },
          { events: expect.any(Array), nextCursor: expect.any(String) },
          { status: 'PENDING' },
          { since: expect.any(String) },
          { secret: expect.stringMatching(/^whsec_/) },
        ]);
      }
      expect(await end()).not.toMatch(/command not found|no matches found|unmatched|syntax error/);
    });
  },
);

test('npm run logs prints what the functions have logged of one operation', async (context) => {
  const { ask, paste, end } = shellIn(await folderOfSamples('logs', context), 'bash');
  paste(address);
  paste(token);
  const { operation: created } = JSON.parse(JSON.stringify(await ask(create)));
  await end();
  const printed = () => runProcess(process.execPath, ['infra/local/logs.ts', created.id], { cwd: root });
  const text = await eventually(printed, (said) => said.includes('REQUEST_SERVED'));
  const lines = text.trimEnd().split('\n');
  expect(lines).toContainEqual(
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}RoutesLog\S* {2}\{ code: 'REQUEST_SERVED', .* \}$/),
  );
  expect(lines.filter((line) => !line.includes(created.id))).toEqual([]);
});
