import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startWebhookReceiver } from '#infra/local/webhook-receiver.ts';
import { examine } from '#sdk/exam/examine.ts';
import { verifyWebhook, type WebhookEvent } from '#sdk/verify-webhook.ts';
import { blocksIn, sectionOf, textOf } from '#test/support/markdown.ts';
import { bareEndpoint, listenLocally } from '#test/support/webhook-receiver.ts';

const secret = `whsec_${Buffer.from('a secret of the exam, of 32 bytes').toString('base64')}`;

/** An endpoint that answers a request with a status. */
type Receiver = (headers: IncomingHttpHeaders, body: Buffer) => number | Promise<number>;

async function listening(receiver: Receiver): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    response.writeHead(await receiver(request.headers, body)).end();
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/hook`;
}

async function findingsAt(url: string, timeoutSeconds = 5): Promise<readonly string[]> {
  const found: string[] = [];
  const report = ({ name, finding }: { name: string; finding?: string }) => {
    if (finding !== undefined) found.push(`${name}: ${finding}`);
  };
  await examine({ url, secret, timeoutSeconds }, report);
  return found;
}

/** Handles an event whose signature is valid, and returns the status to answer. */
type Take = (event: WebhookEvent, headers: IncomingHttpHeaders, body: Buffer) => number;

const verifying =
  (take: Take = () => 204): Receiver =>
  (headers, body) => {
    try {
      return take(verifyWebhook(secret, headers, body), headers, body);
    } catch {
      return 401;
    }
  };

const as = (headers: IncomingHttpHeaders, changes: IncomingHttpHeaders) => ({ ...headers, ...changes });

describe('our own receivers pass the exam', () => {
  test('the one of npm start', async () => {
    const receiver = await startWebhookReceiver({ say: () => undefined, step: (_, work) => work(() => undefined) });
    onTestFinished(() => receiver.stop());
    receiver.trust(secret);
    expect(await findingsAt(receiver.url)).toEqual([]);
  });

  test('one that verifies by the package', async () => {
    expect(await findingsAt(await listening(verifying()))).toEqual([]);
  });

  test('one that goes by what the service never does: an off-ramp has one user, and is PENDING before it is COMPLETED', async () => {
    const users = new Map<unknown, unknown>();
    const take: Take = ({ data }) => {
      if (!('operationId' in data && 'previousStatus' in data)) return 204;
      const user = users.get(data.operationId) ?? data.userId;
      users.set(data.operationId, user);
      return user !== data.userId || (data.status === 'COMPLETED' && data.previousStatus !== 'PENDING') ? 500 : 204;
    };
    expect(await findingsAt(await listening(verifying(take)))).toEqual([]);
  });

  test('one that verifies by the Python of docs/webhooks.md', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payin-offramp-exam-'));
    const [example = ''] = blocksIn(sectionOf(textOf('docs/webhooks.md'), 'Verifying in Python'), 'python');
    writeFileSync(join(folder, 'receiver.py'), `${example}${PYTHON_SERVER}`);
    const python = spawn('python3', [join(folder, 'receiver.py'), secret], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => {
      python.kill();
      rmSync(folder, { recursive: true });
    });
    const [port] = await once(python.stdout, 'data');
    expect(await findingsAt(`http://127.0.0.1:${Number(port)}/hook`)).toEqual([]);
  });
});

const PYTHON_SERVER = `

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.send_response(204 if verify_webhook(sys.argv[1], headers, body) else 401)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
`;

/** Returns a function that is true for an id that it was called with before. */
const isKnown = () => {
  const known = new Set<unknown>();
  return (id: unknown) => known.size === known.add(id).size;
};

const broken: readonly (readonly [name: string, receiver: () => Receiver, findings: readonly string[]])[] = [
  [
    'accepts everything',
    () => () => 204,
    [
      'A signature by another secret: answered 204. Answer 401',
      'A body that was changed',
      'A call without signature',
      'A recorded call',
      'A call dated',
    ],
  ],
  [
    'verifies JSON that it has printed again',
    () => (headers, body) => verifying()(headers, Buffer.from(JSON.stringify(JSON.parse(body.toString())))),
    ['A body with spaces and letters like é: answered 401. Verify the bytes of the body as they arrived'],
  ],
  [
    'looks at the first signature alone',
    () => (headers, body) =>
      verifying()(as(headers, { 'webhook-signature': String(headers['webhook-signature']).split(' ')[0] }), body),
    ['Two signatures, the first by another secret: answered 401. Accept a call if any of its signatures is right'],
  ],
  [
    'looks at the last signature alone',
    () => (headers, body) =>
      verifying()(as(headers, { 'webhook-signature': String(headers['webhook-signature']).split(' ').at(-1) }), body),
    ['Two signatures, the second by another secret: answered 401. Accept a call if any'],
  ],
  [
    'judges the age by the event',
    () => verifying(({ timestamp }) => (Date.now() - Date.parse(timestamp) > 300_000 ? 401 : 204)),
    ['An event of three days ago, sent again now: answered 401. Judge the age of a call by webhook-timestamp'],
  ],
  [
    'answers 409 to a repeat',
    () => {
      const known = isKnown();
      return verifying((_, headers) => (known(headers['webhook-id']) ? 409 : 204));
    },
    [
      'The same event again: answered 409. Answer 2xx to a webhook-id that you know',
      'The same event twice at the same time: answered 409.',
    ],
  ],
  [
    'fails at a repeat while the first one is being stored',
    () => {
      const storing = new Set<unknown>();
      return async ({ 'webhook-id': id, ...headers }, body) => {
        const status = await verifying()({ 'webhook-id': id, ...headers }, body);
        if (status === 204 && storing.has(id)) return 500;
        storing.add(id);
        await sleep(100);
        storing.delete(id);
        return status;
      };
    },
    [
      'The same event twice at the same time: answered 500. That is an error of the endpoint: see its log. Remember webhook-ids',
    ],
  ],
  [
    'refuses what was overtaken',
    () => verifying(({ data }) => ('sequence' in data && data.sequence === 2 ? 409 : 204)),
    ['An event that a later one has overtaken: answered 409. Drop an event'],
  ],
  [
    'knows no other types',
    () => verifying(({ type }) => (type === 'ramp.operation.status_changed' ? 204 : 400)),
    [
      'An event of a type that does not exist yet: answered 400. Answer 2xx to a type that you do not know',
      'A webhook.test: answered 400.',
    ],
  ],
  [
    'takes only what begins with ramp.',
    () => verifying(({ type }) => (type.startsWith('ramp.') ? 204 : 400)),
    ['A webhook.test: answered 400. Answer 2xx to it'],
  ],
  [
    'takes 16 kB',
    () => verifying((_, __, body) => (body.length > 16_384 ? 413 : 204)),
    ['A body of 20 kB: answered 413. Take bodies of up to 64 kB.'],
  ],
  [
    'keeps ids of 64 characters',
    () => verifying((_, { 'webhook-id': id = '' }) => (id.length > 64 ? 500 : 204)),
    ['An id of 128 characters: answered 500. That is an error of the endpoint: see its log. Take ids of up to 128'],
  ],
  [
    'crashes without a signature',
    () => (headers, body) => (headers['webhook-signature'] === undefined ? 500 : verifying()(headers, body)),
    ['A call without signature: answered 500. That is an error of the endpoint: see its log. Answer 401'],
  ],
  [
    'has another path',
    () => () => 404,
    ['A correctly signed call: answered 404. There may be nothing at this path. Verify'],
  ],
  ['redirects', () => () => 307, ['A correctly signed call: answered 307. A redirect is never followed']],
  ['is gone', () => () => 410, ['A correctly signed call: answered 410. That deactivates the webhook.']],
  [
    'processes before it answers',
    () => () => new Promise(() => undefined),
    [
      'A correctly signed call: no complete answer within 5 seconds. Store the event, answer 2xx, and process it afterwards.',
    ],
  ],
];

describe('what a receiver does wrong is said in a sentence, and nothing else is', () => {
  test.each(broken)('one that %s', async (_, receiver, expected) => {
    const found = await findingsAt(await listening(receiver()));
    expect(found).toEqual(expected.map((sentence) => expect.stringContaining(sentence)));
  });

  test('one that does not end its answer, which is a time-out of the service', async () => {
    const url = await bareEndpoint((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nthanks'));
    expect(await findingsAt(url.href, 1)).toEqual([expect.stringContaining('no complete answer within 1 seconds.')]);
  });

  test('one that does not listen', async () => {
    expect(await findingsAt('http://127.0.0.1:9/hook')).toEqual([expect.stringContaining('no answer (')]);
  });
});

describe('npm run exam', () => {
  const run = (...args: readonly string[]) =>
    new Promise<{ status: unknown; printed: string }>((resolve) => {
      const file = fileURLToPath(new URL('../../../sdk/exam/cli.ts', import.meta.url));
      execFile(process.execPath, [file, 'exam', ...args], (error, out, err) =>
        resolve({ status: error?.code ?? 0, printed: out + err }),
      );
    });

  test('ends with 0 after a pass, and says what is left to see; with 1 and a line after a finding; with 2 without an address', async () => {
    const good = await run('--url', await listening(verifying()), '--secret', secret);
    expect(good).toEqual({ status: 0, printed: expect.stringMatching(/Passed\. Only you can see .* COMPLETED/) });
    const wrong = await run('--url', await listening(() => 204), '--secret', secret);
    expect(wrong).toEqual({ status: 1, printed: expect.stringMatching(/^✗ A call without signature: .*$/m) });
    expect(await run('--secret', secret)).toEqual({ status: 2, printed: expect.stringContaining('--url takes') });
  });

  test.each(['a'.repeat(33), `${'a'.repeat(32)}=====`, 'a'.repeat(100)])(
    'ends with 2 and a line for a secret that is none: whsec_%s',
    async (text) => {
      const said = await run('--url', 'http://127.0.0.1:9/hook', '--secret', `whsec_${text}`);
      expect(said).toEqual({ status: 2, printed: expect.stringMatching(/^--secret takes whsec_ and base64/) });
    },
  );
});
