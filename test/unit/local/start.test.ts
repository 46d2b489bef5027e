import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { runProcess } from '#infra/local/run-process.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const start = (...args: string[]) => runProcess(process.execPath, ['infra/local/start.ts', ...args], { cwd: root });

describe('npm start', () => {
  test.each(['--help', '-h'])('%s prints how it is used', async (option) => {
    expect(await start(option)).toMatch(/^npm start \[-- options\]\n {2}--port <port> /);
  });

  test.each([
    [['--port', '99999'], '--port takes a whole number from 1 to 65535.'],
    [['--window', 'abc'], '--window takes a whole number from 1 to'],
    [['--prot', '9000'], "Unknown option '--prot'"],
  ])('says what is wrong with %j, and how it is used', async (args, complaint) => {
    const said = await start(...args).catch(String);
    expect(said).toContain('ended with 2:\n');
    expect(said).toContain(complaint);
    expect(said).toContain('npm start [-- options]');
  });
});

test.each([
  [['send', '250.5'], 'send takes <address> <amount>, and nothing else.'],
  [['snd'], 'There is no command snd.'],
])('npm run chain says what is wrong with %j', async (args, complaint) => {
  const said = await runProcess(process.execPath, ['infra/local/chain/chain.ts', ...args], { cwd: root }).catch(String);
  expect(said).toContain(`${complaint}\n\nnpm run chain [-- options]`);
});

describe('a person with too old a Node, or without all packages,', () => {
  const source = readFileSync(new URL('../../../infra/check-node.mjs', import.meta.url), 'utf8');
  const runBy = (node: string, isInstalled = true) => {
    const said: unknown[] = [];
    const output = { on: () => undefined, write: (text: string) => said.push(text) };
    const process = {
      ...{ versions: { node }, stdout: output, stderr: output },
      getBuiltinModule: () => ({ existsSync: () => isInstalled }),
      exit: (status: number) => said.push(status),
    };
    runInNewContext(source, { process });
    return said;
  };

  test('is told what to do; with the right Node, nothing', () => {
    expect(runBy('20.20.2')).toEqual([
      expect.stringMatching(
        /started by Node 20\.20\.2[\s\S]*\n {2}npm ci --include=optional\n[\s\S]*install Node 24 or newer\.\n$/,
      ),
      1,
    ]);
    expect([...runBy('24.0.0'), ...runBy('26.1.0')]).toEqual([]);
  });

  test('is told how to install them', () => {
    expect(runBy('24.0.0', false)).toEqual([expect.stringContaining('\n  npm ci --include=dev\n'), 1]);
  });

  test('is told by every script of the package that runs TypeScript', () => {
    const json = (file: string) => JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(json('package.json'));
    const { app } = z.object({ app: z.string() }).parse(json('cdk.json'));
    const typed = [...Object.values(scripts), app].filter((script) => /\.ts\b|vitest/.test(script));
    expect(typed.length).toBeGreaterThan(6);
    expect(typed.filter((script) => !script.includes('./infra/check-node.mjs '))).toEqual([]);
  });
});

describe('a program whose output nobody reads any more', () => {
  test.each([
    ['stdout', '', 130],
    ['stderr', '', 130],
    ['stdout', "process.stdout.on('error', () => process.exit(3));", 3],
  ] as const)(
    'ends without a stack trace, by what it does itself if that is anything: %s, %s',
    async (output, own, status) => {
      const program = `${own} setInterval(() => process.${output}.write('line\\n'), 1);`;
      const child = spawn(process.execPath, ['--import', './infra/check-node.mjs', '-e', program], { cwd: root });
      const said: string[] = [];
      child[output === 'stdout' ? 'stderr' : 'stdout'].on('data', (text) => said.push(String(text)));
      child[output].once('data', () => child[output].destroy());
      expect([(await once(child, 'close'))[0], ...said]).toEqual([status]);
    },
  );
});

test('a program whose output finds no room, as on a full disk, says so: otherwise the file would look complete', async () => {
  const program = "process.stdout.destroy(new Error('no space left on device'));";
  const child = spawn(process.execPath, ['--import', './infra/check-node.mjs', '-e', program], { cwd: root });
  const said: string[] = [];
  child.stderr.on('data', (text) => said.push(String(text)));
  expect([(await once(child, 'close'))[0], ...said]).toEqual([
    130,
    'The output is not whole: no space left on device\n',
  ]);
});
