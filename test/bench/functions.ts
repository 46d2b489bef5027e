import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { bundleFunctions, bundleOptions } from '#infra/bundle/bundle-functions.ts';
import { environmentOf, type LocalAws } from '#infra/cli/local-aws.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { connect } from '#sdk/connect.ts';
import { executionName } from '#shared/off-ramps/model/verification.ts';
import { verificationKey } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { deployedFunctions } from '#test/support/deployed-functions.ts';
import { bareFunction, watchCalls } from './same-calls.ts';

const USAGE = `npm run bench:functions -- [--rounds n] [--warm n]
  What four functions take from their first line to their first answer, and for an answer once they are warm, each in a new process
  beside a function that makes the same calls of AWS with the bare SDK, in turn in each of n rounds; 20 when not given. They are warm
  after n calls; 150 when not given. Their ratios say something, on any machine.`;

/** Clients that a function has for what it does not do here: it starts an execution, or sends a message. */
const madeOnly: Readonly<Record<string, readonly string[]>> = {
  'off-ramps/submit-offramp-hash': ['AWSStepFunctions'],
  'webhooks/deliver-webhook': ['AmazonSQS'],
};

/** Calls of a warm function that are measured. */
const WARM_CALLS = 100;
/** What only the first reports of a hash do is done then. */
const UNMEASURED = 15;
const DAY = 24 * 3600_000;

const { rounds, warmAfter } = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '20' }, warm: { type: 'string', default: '150' } },
  });
  return {
    rounds: wholeNumber('--rounds', values.rounds, { most: 1000 }),
    warmAfter: wholeNumber('--warm', values.warm, { most: 10_000 }),
  };
});

interface Started {
  readonly module: string;
  readonly settings: NodeJS.ProcessEnv;
  readonly event: unknown;
}

interface Pair {
  readonly name: string;
  readonly deployed: Started;
  readonly bare: Started;
}

const measured = z.object({
  /** Milliseconds of all threads, without the start of Node itself: to the first answer, and for one when warm. */
  cold: z.number(),
  warm: z.number(),
  /** Milliseconds on the clock to the first answer. */
  clock: z.number(),
  /** A status below 400, where it is one of HTTP. */
  answer: z.optional(z.object({ statusCode: z.optional(z.int().check(z.lt(400))) })),
});
type Measured = z.infer<typeof measured>;
const kinds = ['cold', 'clock', 'warm'] as const;

const progress = progressOn(process.stdout);
const directory = await mkdtemp(join(tmpdir(), 'bench-functions-'));
const service = await startLocalService({
  port: await freePort(),
  windowSeconds: undefined,
  progress,
  signal: new AbortController().signal,
});
try {
  const { pairs, forgetPolls } = await prepare();
  const took = pairs.map(() => ({ deployed: [] as Measured[], bare: [] as Measured[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const [index, pair] of pairs.entries())
      for (const side of ['bare', 'deployed'] as const) {
        await forgetPolls();
        took[index]?.[side].push(await measure(pair[side]));
      }
  for (const [index, { name }] of pairs.entries()) {
    const columns = kinds.map((kind) => {
      const middle = (of: readonly Measured[] = []) =>
        of.map((one) => one[kind]).toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN;
      const [own, bare] = [middle(took[index]?.deployed), middle(took[index]?.bare)];
      return `${kind} ${own.toPrecision(3)} ms, bare ${bare.toPrecision(3)}, ${(own / bare).toFixed(2)} ×`;
    });
    progress.say(`  ${name.padEnd(20)} ${columns.join('   ')}`);
  }
} finally {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Each function with what it is deployed with and something real to do, and its bare counterpart. */
async function prepare() {
  const aws = awsOf(service.outputs);
  const functions = deployedFunctions(aws);
  const bundles = await bundleFunctions(join(directory, 'functions'));
  const { path, attempt } = await reportedHash();
  const settingsOf = async (folder: string) => functions.settingsOf(await functions.find(folder));
  const { clientId } = attempt;
  const { STATE_MACHINE_ARN: machine = '' } = await settingsOf('submit-offramp-hash');
  await stopPolls(aws, machine, attempt);
  const { OPERATIONS_TABLE: operations } = await settingsOf('check-deposit');
  const ask = (httpMethod: string, body?: object) => ({
    ...{ httpMethod, resource: '/cold', pathParameters: path, headers: { 'Content-Type': 'application/json' } },
    ...{ body: body && JSON.stringify(body), isBase64Encoded: false },
    requestContext: { requestId: 'cold', authorizer: { clientId, exp: '4000000000' } },
  });
  const message = { deliveryId: 'none', attempt: 1, clientId, webhookId: 'none' };
  // Each poll writes that the next one is far away, and a report asks for more calls then.
  const events = {
    'off-ramps/check-deposit': attempt,
    'off-ramps/get-operation': ask('GET'),
    'off-ramps/submit-offramp-hash': ask('POST', { txHash: attempt.txHash }),
    'webhooks/deliver-webhook': {
      Records: [{ messageId: '1', body: JSON.stringify(message), eventSourceARN: 'arn:aws:sqs:us-east-1:0:first' }],
    },
  };
  const pairs: Pair[] = [];
  for (const [folder, event] of Object.entries(events)) {
    const name = folder.slice(folder.indexOf('/') + 1);
    // All reports of the measurement are of one day.
    const settings = { ...(await settingsOf(name)), MOST_PER_DAY: '1000000', ...environmentOf(aws) };
    const module = join(bundles.get(folder)?.directory ?? '', 'handler.mjs');
    const deployed = { module, settings, event };
    const bare = { ...deployed, module: join(directory, `${name}.mjs`) };
    await build({
      ...bundleOptions,
      stdin: { contents: await bareSource(deployed, madeOnly[folder]), resolveDir: import.meta.dirname },
      outfile: bare.module,
    });
    pairs.push({ name, deployed, bare });
  }
  return { pairs, forgetPolls: () => forgetPolls(aws, operations, attempt) };
}

/** Has the function called, through a proxy that sees what it asks AWS for. */
async function bareSource({ module, settings, event }: Started, madeOnly: readonly string[] = []): Promise<string> {
  const watched = await watchCalls(settings['AWS_ENDPOINT_URL'] ?? '');
  try {
    const start = { module, settings: { ...settings, AWS_ENDPOINT_URL: watched.url }, event };
    await run(start, '');
    const whileItStarts = watched.take();
    await run(start, `for (let call = 0; call < ${UNMEASURED}; call += 1) await answer();`);
    watched.take();
    await run(start, 'await answer();');
    return bareFunction(whileItStarts, watched.take().slice(whileItStarts.length), madeOnly);
  } finally {
    watched.stop();
  }
}

/** An off-ramp with a transaction that nobody knows, and a poll of it. */
async function reportedHash() {
  const [client, token] = [service.outputs.clients[0], service.outputs.tokens[0]];
  const user = client?.users[0];
  const wallet = user?.externalWallets.find(({ network }) => network === 'POLYGON');
  if (!client || !token || !user || !wallet) throw new Error('The demo data are incomplete.');
  const call = connect({ baseUrl: service.outputs.baseUrl, credentials: client });
  const { body: created } = await call('POST /api/v1/admin/operation/{user_id}/withdrawal', {
    path: { user_id: user.userId },
    body: { originExternalWalletId: wallet.id, supportedTokenId: token.id, amount: '250.5' },
  });
  const { id: operationId, network, amount } = created.operation;
  const path = { user_id: user.userId, operation_id: operationId };
  const txHash = `0x${randomBytes(32).toString('hex')}`;
  await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path, body: { txHash } });
  const [windowStartsAt, windowEndsAt] = [-DAY, DAY].map((after) => new Date(Date.now() + after).toISOString());
  const window = { windowStartsAt, windowEndsAt, lastCheckedAt: windowStartsAt };
  const { clientId } = client;
  return {
    path,
    attempt: { operationId, attempt: 1, clientId, amount, token: token.token, network, txHash, ...window },
  };
}

/** The measured polls are the only ones, so that each call of a function finds the same. */
async function stopPolls(aws: LocalAws, machine: string, { operationId }: { readonly operationId: string }) {
  const name = executionName({ operationId, attempt: 1, run: 1 });
  const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${name}`;
  await new SFNClient(aws).send(new StopExecutionCommand({ executionArn }));
}

/** A verification keeps each poll, of which it has a few dozen: those of one measurement are not to slow down the next. */
async function forgetPolls(
  aws: LocalAws,
  table: string | undefined,
  { operationId }: { readonly operationId: string },
): Promise<void> {
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient(aws));
  const polls = { UpdateExpression: 'REMOVE polls' };
  await dynamo.send(new UpdateCommand({ TableName: table, Key: verificationKey(operationId), ...polls }));
}

async function measure(start: Started): Promise<Measured> {
  const took = await run(
    start,
    `const first = await answer();
    const [cold, clock] = [processorSince(begun), performance.now() - started];
    for (let call = 0; call < ${warmAfter}; call += 1) await answer();
    const compiled = process.cpuUsage();
    for (let call = 0; call < ${WARM_CALLS}; call += 1) await answer();
    const warm = processorSince(compiled) / ${WARM_CALLS};
    console.log('\\n' + JSON.stringify({ cold, clock, warm, answer: first }));`,
  );
  return measured.parse(JSON.parse(took.slice(took.trimEnd().lastIndexOf('\n') + 1)));
}

/**
 * Loads a function in a new process, which then does what `script` says. Lines are written as the runtime of Lambda writes
 * them, in JSON: it replaces Node's console, which takes some milliseconds for its first one. @returns what it printed
 */
async function run({ module, settings, event }: Started, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--input-type=module', '--eval'],
      `const { writeSync } = process.getBuiltinModule('fs');
      for (const level of ['info', 'warn', 'error'])
        console[level] = (message) => writeSync(1, JSON.stringify({ timestamp: new Date(), level, message }) + '\\n');
      const [begun, started] = [process.cpuUsage(), performance.now()];
      const processorSince = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
      const { handler } = await import(${JSON.stringify(pathToFileURL(module).href)});
      const answer = () => handler(${JSON.stringify(event)}, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 30_000 });
      ${script}
      // Connections are open, and what was printed is on its way.
      process.stdout.write('', () => process.exit(0));`,
    ],
    { env: { PATH: process.env['PATH'], ...settings }, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout;
}
