import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { serviceAt } from '#infra/cli/find-service.ts';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { pythonOf } from '#infra/local/install-python.ts';
import { copyName, serviceStackName } from '#infra/stacks/stack-names.ts';
import { hasBrowser, withBrowser } from '#test/support/browser.ts';
import { demoClient } from '#test/support/http-client.ts';
import { listenLocally } from '#test/support/webhook-receiver.ts';

const aws = awsOf(inject('outputs'));
const inLocal = (name: string) => fileURLToPath(new URL(`../../../infra/local/${name}`, import.meta.url));
const [guarded, requirements] = [inLocal('emulator-guard.py'), inLocal('requirements.txt')];
const { host, port } = new URL(aws.endpoint);
const ownKey = aws.credentials.accessKeyId;

/** Access keys that emulators treat as the root of an account: no key, the usual one, and any account number. */
const ROOTS = ['', 'test', '000000000000'];

const REFUSED = { status: 403, body: 'The local AWS accepts only the access key of its run.\n' };

const scopeOf = (key: string) => `${key}/20260101/us-east-1/sts/aws4_request`;
const signedBy = (key: string) => ({
  Authorization: `AWS4-HMAC-SHA256 Credential=${scopeOf(key)}, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
});

const queryOf = (key: string) => ({ 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256', 'X-Amz-Credential': scopeOf(key) });

/** Sends a request as a program would, with any `Host` header. */
function send(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (answer) => {
      void text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

/** Loads the guard, and with it the emulator, on a machine with 10 GB. */
const load = `
import os, runpy
os.sysconf = {"SC_PAGE_SIZE": 1, "SC_PHYS_PAGES": 3 * 75_000_000 * 45}.get
import ministack.app
ministack.app.main = lambda: None
runpy.run_path(${JSON.stringify(guarded)})`;
const env = { AWS_ACCESS_KEY_ID: 'key' };
const python = pythonOf('emulator', requirements);

/** Runs a Python program with the guard loaded; returns what it prints. */
function guardedPython(program: string): string {
  const run = spawnSync(python, ['-c', load + program], { encoding: 'utf8', env });
  return run.stdout.trim() || run.stderr;
}

/** The name of the service's first resource whose logical id starts with `beginning`. */
async function resourceOf(type: string, beginning: string): Promise<string> {
  const stacks = new CloudFormationClient(aws);
  const { StackResources = [] } = await stacks.send(
    new DescribeStackResourcesCommand({ StackName: serviceStackName(copyName('local')) }),
  );
  const found = StackResources.find(
    ({ ResourceType, LogicalResourceId = '' }) => ResourceType === type && LogicalResourceId.startsWith(beginning),
  );
  return found?.PhysicalResourceId ?? expect.fail(`There is no ${type} ${beginning}.`);
}

const WHO_AM_I = '/?Action=GetCallerIdentity&Version=2011-06-15';

describe('the local AWS', () => {
  test('answers any caller with the key of its run, in a header or in the query', async () => {
    const inQuery = new URLSearchParams(queryOf(ownKey));
    for (const answer of [await send(WHO_AM_I, signedBy(ownKey)), await send(`${WHO_AM_I}&${inQuery}`)])
      expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(':root') });
  });

  test.each([
    ...ROOTS.map((key) => [`«${key}»`, key]),
    ['one of other letters', ownKey.toLowerCase()],
    ['one that begins like its own', `${ownKey}0`],
  ])(
    'refuses the key of another user of this machine, in whatever form, and does nothing that the call asks: %s',
    async (_, key) => {
      const inQuery = [new URLSearchParams(queryOf(key)), new URLSearchParams({ AWSAccessKeyId: key })];
      const made = `made-by-${key}`;
      for (const [path, method] of [
        [WHO_AM_I, 'POST'],
        ['/2015-03-31/functions/', 'GET'],
        ['/_ministack/health', 'GET'],
        ['/_ministack/ready', 'GET'],
        ['/_ministack/reset', 'POST'],
        ['/_ministack/config', 'POST'],
        ['/_localstack/health', 'GET'],
        ['/latest/meta-data/iam/security-credentials/', 'GET'],
        ['/', 'GET'],
        ['/a-bucket/a-key', 'PUT'],
        [`/?Action=CreateQueue&QueueName=${made}`, 'POST'],
        [`/restapis`, 'GET'],
      ] as const) {
        expect(await send(path, signedBy(key), method)).toEqual(REFUSED);
        for (const form of inQuery)
          expect(await send(`${path}${path.includes('?') ? '&' : '?'}${form}`, {}, method)).toEqual(REFUSED);
      }
      const { QueueUrls = [] } = await new SQSClient(aws).send(new ListQueuesCommand({}));
      expect([QueueUrls.length > 0, QueueUrls.filter((url) => url.includes('made-by-'))]).toEqual([true, []]);
    },
  );

  test('ends with the process that started it, even if that is killed, and so do all processes that it started', async () => {
    const sleeping = 'import subprocess; print("It runs", flush=True); subprocess.run(["sleep", "600"])';
    const emulator = spawn(python, ['-c', `${load}\n${sleeping}`], { detached: true, env: { ...process.env, ...env } });
    await once(emulator.stdout, 'data');
    emulator.stdin.end();
    // The output closes once no process holds it.
    expect(await once(emulator, 'close')).toEqual([null, 'SIGKILL']);
  });

  test('refuses the session of a function, which can be derived from its name and role in an emulator of itself', async () => {
    const { clientId, clientSecret } = demoClient('demo');
    const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
    const headers = { 'content-type': 'application/json' };
    const tokens = `${inject('outputs').baseUrl}/api/v1/client/token`;
    expect(await fetch(tokens, { method: 'POST', headers, body })).toMatchObject({ status: 200 });

    const fn = `arn:aws:lambda:us-east-1:000000000000:function:${await resourceOf('AWS::Lambda::Function', 'issuetoken')}`;
    const role = `arn:aws:iam::000000000000:role/${await resourceOf('AWS::IAM::Role', 'issuetoken')}`;
    const derived = (what: string) => createHash('sha256').update(what).digest('hex');
    const digest = derived(`${fn}:${role}`);
    const credentials = {
      accessKeyId: `ASIA${digest.slice(0, 16).toUpperCase()}`,
      secretAccessKey: derived(`secret:${digest}`),
      sessionToken: derived(`token:${digest}`),
    };
    const { signing } = serviceAt(aws.endpoint, 'the local AWS', { ...aws, credentials });
    const signed = await new SignatureV4({ ...signing, service: 'sts' }).sign({
      ...{ method: 'GET', protocol: 'http:', hostname: '127.0.0.1', port: Number(port), path: '/', headers: { host } },
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    });
    expect(await send(WHO_AM_I, signed.headers)).toEqual(REFUSED);
  });

  test('runs at most 40 functions at once: further calls wait for their turn, and get it', async () => {
    // It may take 55 seconds: forty processes that begin at once take half of that on two processors.
    const name = await resourceOf('AWS::Lambda::Function', 'Expiredendexpiredoperations');
    const { signing } = serviceAt(aws.endpoint, 'the local AWS', aws);
    const path = `/2015-03-31/functions/${name}/invocations`;
    const call = async () => {
      const signer = new SignatureV4({ ...signing, service: 'lambda' });
      const asked = { method: 'POST', protocol: 'http:', hostname: '127.0.0.1', port: Number(port), path };
      const { headers } = await signer.sign({ ...asked, headers: { host }, body: '{}' });
      const answer = await fetch(`${aws.endpoint}${path}`, { method: 'POST', headers, body: '{}' });
      return [answer.status, answer.headers.get('x-amz-function-error')];
    };
    expect(await Promise.all(Array.from({ length: 60 }, call))).toEqual(Array(60).fill([200, null]));
    const run = join(localDirectory, `run-${new URL(inject('outputs').baseUrl).port}`, 'tmp');
    const processes = (await readdir(run)).filter((folder) => folder.includes(name));
    expect(processes.length).toBeGreaterThan(1);
    expect(processes.length).toBeLessThanOrEqual(40);
  });

  test('keeps no more processes than a third of the memory holds: those unused for longest make room', () => {
    const said = guardedPython(`
from ministack.core import lambda_runtime
from ministack.services import lambda_svc
arn = "arn:aws:lambda:us-east-1:000000000000:function:"
lease = lambda name: lambda_svc.acquire_worker(name, {"FunctionArn": arn + name}, b"")[0]
runs = lease("runs")
for name in range(50):
    lambda_runtime.release_worker(lease(f"f{name}"))
left = [worker.func_name for pool in lambda_runtime._workers.values() for worker in pool]
print(",".join(left))`);
    const latest = Array.from({ length: 44 }, (_, place) => `f${place + 6}`);
    expect(said).toBe(['runs', ...latest].join(','));
  });

  test('begins a session while another one is begun, and forgets expired ones', () => {
    const said = guardedPython(`
from ministack.services import sts
class Interrupted(float):
    def __lt__(self, now):
        sts._sessions["begun-meanwhile"] = {}
        return float(self) < now
sts._sessions.update(old={"Expiration": 1}, interrupted={"Expiration": Interrupted(9e9)}, last={})
sts.register_session("new", {})
print(",".join(sts._sessions))`);
    expect(said).toBe('interrupted,last,begun-meanwhile,new');
  });

  test.skipIf(!hasBrowser)(
    'does nothing that a page of another origin asks for, even with the key of its run',
    async () => {
      const query = new URLSearchParams({ Action: 'CreateQueue', ...queryOf(ownKey) });
      const url = (name: string) => `${aws.endpoint}/?${query}&QueueName=${name}`;
      const page = createServer((_, response) =>
        response.setHeader('content-type', 'text/html').end('<!doctype html>'),
      );
      const origin = `http://127.0.0.1:${await listenLocally(page)}/`;
      onTestFinished(() => void page.close());
      expect(await send(url('asked-by-a-program'), {}, 'POST')).toMatchObject({ status: 200 });
      await withBrowser(async (tab) => {
        await tab.goto(origin);
        const asked = `(async () => {
        const told = (one) => one.then(({ status }) => status, () => 'refused');
        const read = await told(fetch('${url('asked-by-page-1')}'));
        const sent = { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } };
        const written = await told(fetch('${url('asked-by-page-2')}', sent));
        await told(fetch('${url('asked-by-page-3')}', { ...sent, mode: 'no-cors' }));
        await new Promise((end) => Object.assign(new Image(), { onerror: end, src: '${url('asked-by-page-4')}' }));
        return [read, written];
      })()`;
        expect(await tab.evaluate(asked)).toEqual(['refused', 'refused']);
        expect((await tab.goto(url('asked-by-page-5')))?.status()).toBe(403);
        await tab.setContent(`<form method="post" action="${url('asked-by-page-6')}"><button>Go</button></form>`);
        await Promise.all([tab.waitForNavigation(), tab.getByRole('button').click()]);
      });
      const { QueueUrls = [] } = await new SQSClient(aws).send(new ListQueuesCommand({ QueueNamePrefix: 'asked-by-' }));
      expect(QueueUrls.map((asked) => asked.split('/').at(-1))).toEqual(['asked-by-a-program']);
    },
  );
});
