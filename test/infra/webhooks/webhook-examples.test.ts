import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { freePort } from '#infra/local/free-port.ts';
import { signedHeaders } from '#shared/webhooks/http-client/sign-webhook.ts';
import { eventually } from '#test/support/eventually.ts';
import { samplesOf } from '#test/support/guide-samples.ts';
import { blocksIn, sectionOf, textOf } from '#test/support/markdown.ts';

const page = textOf('docs/webhooks.md');
const folder = mkdtempSync(join(tmpdir(), 'webhook-examples-'));

/** The only example in a language below a heading. */
function example(heading: string, language: string): string {
  const [found = '', ...others] = blocksIn(sectionOf(page, heading), language);
  if (found === '' || others.length > 0)
    throw new Error(`There must be one example in ${language} below «${heading}».`);
  return found;
}

interface Case {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time of the check in seconds since 1970; the current time if not given. */
  readonly now?: number;
}

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
const [current, replaced, foreign] = [secretOf('current'), secretOf('replaced'), secretOf('foreign')];
const body = '{"type":"webhook.test","timestamp":"2026-11-21T14:03:11.482Z","data":{"name":"Bogotá 🌎"}}';
const MINUTE = 60_000;

const signed = (secrets: readonly string[], age = 0) =>
  signedHeaders(secrets, { id: 'evt_1', at: new Date(Date.now() - age), body });
const without = (name: string) => Object.fromEntries(Object.entries(signed([current])).filter(([key]) => key !== name));
const signatureAs = (change: (signature: string) => string) => {
  const headers = signed([current]);
  return { ...headers, 'webhook-signature': change(headers['webhook-signature'] ?? '') };
};

/** Signed only when a program is started: on a busy machine, earlier signatures could be too old. */
const acceptedNow = (): Record<string, Case> => ({
  'what was signed': { secret: current, headers: signed([current]), body },
  'by the new secret, of two': { secret: current, headers: signed([current, replaced]), body },
  'by the old secret, of two': { secret: replaced, headers: signed([current, replaced]), body },
  'beside another scheme': { secret: current, headers: signatureAs((own) => `v1a,${'A'.repeat(86)} ${own}`), body },
  'not quite five minutes old': { secret: current, headers: signed([current], 4.8 * MINUTE), body },
  'by a clock that is ahead': { secret: current, headers: signed([current], -4.8 * MINUTE), body },
});

const refusedNow = (): Record<string, Case> => ({
  'another body': { secret: current, headers: signed([current]), body: body.replace('test', 'rest') },
  'the same JSON in other bytes': { secret: current, headers: signed([current]), body: body.replace(':', ': ') },
  'another secret': { secret: foreign, headers: signed([current, replaced]), body },
  'older than five minutes': { secret: current, headers: signed([current], 5.2 * MINUTE), body },
  'of the future': { secret: current, headers: signed([current], -5.2 * MINUTE), body },
  'an old call with a new time': {
    secret: current,
    headers: { ...signed([current], 10 * MINUTE), 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` },
    body,
  },
  'another id': { secret: current, headers: { ...signed([current]), 'webhook-id': 'evt_2' }, body },
  'without an id': { secret: current, headers: without('webhook-id'), body },
  'without a time': { secret: current, headers: without('webhook-timestamp'), body },
  'without a signature': { secret: current, headers: without('webhook-signature'), body },
  'an empty signature': { secret: current, headers: signatureAs(() => ''), body },
  'half a signature': { secret: current, headers: signatureAs((own) => own.slice(0, 20)), body },
  'another scheme': { secret: current, headers: signatureAs((own) => own.replace('v1,', 'v2,')), body },
  'no base64': { secret: current, headers: signatureAs(() => 'v1,é¿'), body },
});

/** The call that the page shows, checked this many seconds after it was sent. */
function shown(after: number): Case {
  const [head = '', sent = ''] = example('Events', 'http').split('\n\n');
  const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ')));
  const secret = /secret `(?<secret>whsec_[^`]+)`/.exec(page)?.groups?.['secret'] ?? '';
  const now = Number(/give them `(?<now>\d+)`/.exec(page)?.groups?.['now']) + after;
  return { secret, headers, body: sent.trimEnd(), now };
}

const accepted = { ...acceptedNow(), 'the call that is shown, at the time that is named': shown(0) };
const refused = { ...refusedNow(), 'the call that is shown, five minutes later': shown(301) };

const cases = { ...accepted, ...refused };
const expected = Object.fromEntries(Object.keys(cases).map((name) => [name, name in accepted]));

/** The verdicts of a program that reads the cases as JSON. */
function verdicts(command: string, program: string): unknown {
  const output = execFileSync(command, [program], { cwd: folder, input: JSON.stringify(cases), encoding: 'utf8' });
  return z.record(z.string(), z.boolean()).parse(JSON.parse(output));
}

const nodeProgram = `
import { readFileSync } from 'node:fs';
import { verifyWebhook } from './verify-webhook.mts';
const verdicts = Object.entries(JSON.parse(readFileSync(0, 'utf8'))).map(([name, { secret, headers, body, now }]) =>
  [name, verifyWebhook(secret, headers, Buffer.from(body), now)]);
console.log(JSON.stringify(Object.fromEntries(verdicts)));
`;

const pythonProgram = `
import json, sys
from verify_webhook import verify_webhook
cases = json.load(sys.stdin)
print(json.dumps({name: verify_webhook(c["secret"], c["headers"], c["body"].encode(), *([c["now"]] if "now" in c else []))
                  for name, c in cases.items()}))
`;

describe('the examples of how to verify a webhook', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  test('in Node accept and refuse what they should', () => {
    writeFileSync(join(folder, 'verify-webhook.mts'), example('Verifying in Node', 'ts'));
    writeFileSync(join(folder, 'node.mjs'), nodeProgram);
    expect(verdicts(process.execPath, 'node.mjs')).toEqual(expected);
  });

  test('in Python accept and refuse what they should', () => {
    writeFileSync(join(folder, 'verify_webhook.py'), example('Verifying in Python', 'python'));
    writeFileSync(join(folder, 'python.py'), pythonProgram);
    expect(verdicts('python3', 'python.py')).toEqual(expected);
  });

  test('show a call that was signed by the secret beside it', () => {
    const { secret, headers, body: sent } = shown(0);
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers).toMatchObject(signedHeaders([secret], { id: headers['webhook-id'] ?? '', at, body: sent }));
  });
});

/** For each receiver of docs/receivers.md: how it is run, how its tool is detected, and how its printing is broken. */
const receivers = [
  {
    file: 'receiver.mjs',
    run: [process.execPath],
    asks: [process.execPath, '--version'],
    prints: /console\.log\(.*\);/,
    fails: "throw new Error('full');",
  },
  {
    file: 'receiver.py',
    run: ['python3'],
    asks: ['python3', '--version'],
    prints: /print\(.*\)/,
    fails: 'raise RuntimeError("full")',
  },
  {
    file: 'receiver.go',
    run: ['go', 'run'],
    asks: ['go', 'version'],
    prints: /fmt\.Println\(.*\)/,
    fails: 'panic("full")',
  },
  {
    file: 'Receiver.java',
    run: ['java'],
    asks: ['javac', '-version'],
    prints: /System\.out\.println\(.*\);/,
    fails: 'if (true) throw new IllegalStateException("full");',
  },
] as const;

const programs = samplesOf('docs/receivers.md');

test('docs/receivers.md has a whole program for each language, and no other', () => {
  expect(programs.map(({ file }) => file)).toEqual(receivers.map(({ file }) => file));
});

/** A receiver of the page, once it listens. */
async function running({ file, run }: (typeof receivers)[number], change = (code: string) => code) {
  const directory = mkdtempSync(join(tmpdir(), 'receiver-'));
  const port = await freePort();
  writeFileSync(join(directory, file), change(programs.find((one) => one.file === file)?.code ?? ''));
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: current };
  const child = spawn(run[0], [...run.slice(1), file], { cwd: directory, env, detached: true });
  onTestFinished(async () => {
    // The whole group, as `go run` starts a child process.
    if (child.pid !== undefined) process.kill(-child.pid);
    await once(child, 'close');
    rmSync(directory, { recursive: true });
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const send = async (headers: Readonly<Record<string, string>>, text: string, method = 'POST') =>
    (await fetch(`http://127.0.0.1:${port}/`, { method, headers, body: text })).status;
  await eventually(
    () => send({}, '').catch(() => said),
    (status) => status === 401,
  );
  return { port, send, said: () => said };
}

describe.each(receivers)(
  'the receiver $file of docs/receivers.md',
  (receiver) => {
    const { asks, prints, fails } = receiver;
    const isHere = spawnSync(asks[0], [asks[1]]).status === 0;
    const where = isHere ? '' : ` (no ${asks[0]} here)`;

    test.skipIf(!isHere)(`takes each genuine delivery once, and refuses everything else${where}`, async () => {
      const { port, send, said } = await running(receiver);
      const own = Object.entries({ ...acceptedNow(), ...refusedNow() }).filter(([, { secret }]) => secret === current);
      const taken: Record<string, boolean> = {};
      for (const [name, { headers, body: text }] of own) taken[name] = (await send(headers, text)) === 204;
      expect(taken).toEqual(Object.fromEntries(own.map(([name]) => [name, name in accepted])));
      expect(await send(signed([current]), body, 'PUT')).toBe(204);
      await eventually(
        () => Promise.resolve(said()),
        (lines) => lines.includes('evt_1'),
      );
      expect(said().match(/evt_1/g)).toHaveLength(1);

      // A caller may hang up in the middle of a request.
      const caller = connect(port, '127.0.0.1', () => {
        caller.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhalf');
        setTimeout(() => caller.destroy(), 200);
      });
      await once(caller, 'close');
      await sleep(500);
      expect(await send({}, '')).toBe(401);
    });

    test.skipIf(!isHere)(
      `answers no 2xx to a delivery that it could not store, however often it comes, and keeps running${where}`,
      async () => {
        const { send } = await running(receiver, (code) => code.replace(prints, fails));
        const tell = () => send(signed([current]), body).catch(() => 'no answer');
        expect([await tell(), await tell()]).not.toContain(204);
        expect(await send({}, '')).toBe(401);
      },
    );
  },
  120_000,
);
