import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { bundleFunctions, bundling } from '#infra/bundle/bundle-functions.ts';
import { environmentOf } from '#infra/cli/local-aws.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { typed, wholeNumber } from '#infra/cli/typed.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { connect } from '#sdk/connect.ts';
import { deployedFunctions } from '#test/support/deployed-functions.ts';

const USAGE = `npm run bench:cold -- [--rounds n]
  What four functions and a bare client of DynamoDB take from their first line to their first answer, each in a new
  process, one after another in each of n rounds; 20 when not given. Their ratios say something, on any machine.`;

const { rounds } = typed(USAGE, () => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
  return { rounds: wholeNumber('--rounds', values.rounds, { most: 1000 }) };
});

interface Start {
  readonly name: string;
  readonly module: string;
  readonly settings: NodeJS.ProcessEnv;
  readonly event: unknown;
}

const measured = z.object({
  processor: z.number(),
  clock: z.number(),
  /** A status below 400, where it is one of HTTP. */
  answer: z.optional(z.object({ statusCode: z.optional(z.int().check(z.lt(400))) })),
});

const progress = progressOn(process.stdout);
const directory = await mkdtemp(join(tmpdir(), 'cold-starts-'));
const service = await startLocalService({
  port: await freePort(),
  windowSeconds: undefined,
  progress,
  signal: new AbortController().signal,
});
try {
  const starts = await prepare();
  const took = new Map(starts.map(({ name }) => [name, [] as { processor: number; clock: number }[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const start of starts) took.get(start.name)?.push(await measure(start));
  const [bare] = took.values();
  for (const [name, times] of took) {
    const columns = (['processor', 'clock'] as const).map((kind) => {
      const middle = (of: typeof times = []) =>
        of.map((one) => one[kind]).toSorted((a, b) => a - b)[of.length >> 1] ?? 0;
      return `${kind} ${middle(times).toFixed(0).padStart(4)} ms, ${(middle(times) / middle(bare)).toFixed(2)} ×`;
    });
    progress.say(`  ${name.padEnd(22)} ${columns.join('   ')}`);
  }
} finally {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}

/** The bare client first, and the functions with what they are deployed with, each with something real to do. */
async function prepare(): Promise<readonly Start[]> {
  const aws = awsOf(service.outputs);
  const functions = deployedFunctions(aws);
  const bundles = await bundleFunctions(join(directory, 'functions'));
  await build({ ...bundling, entryPoints: ['test/bench/bare-sdk.ts'], outfile: join(directory, 'bare-sdk.mjs') });
  const { path, attempt } = await reportedHash();
  // CloudFormation cuts names.
  const settingsOf = async (name: string) =>
    functions.settingsOf(await functions.find(name.replaceAll('-', '').slice(0, 11)));
  const bare = {
    name: 'bare SDK',
    module: join(directory, 'bare-sdk.mjs'),
    settings: { ...(await settingsOf('get-operation')), ...environmentOf(aws) },
    event: {},
  };
  const { clientId } = attempt;
  const ask = (httpMethod: string, body?: object) => ({
    ...{ httpMethod, resource: '/cold', pathParameters: path, headers: { 'Content-Type': 'application/json' } },
    ...{ body: body && JSON.stringify(body), isBase64Encoded: false },
    requestContext: { requestId: 'cold', authorizer: { clientId, exp: '4000000000' } },
  });
  const message = { deliveryId: 'none', attempt: 1, clientId, webhookId: 'none' };
  const events = {
    'off-ramps/get-operation': ask('GET'),
    'off-ramps/submit-offramp-hash': ask('POST', { txHash: attempt.txHash }),
    'off-ramps/check-deposit': attempt,
    'webhooks/deliver-webhook': {
      Records: [{ messageId: '1', body: JSON.stringify(message), eventSourceARN: 'arn:aws:sqs:us-east-1:0:first' }],
    },
  };
  const deployed = Object.entries(events).map(async ([folder, event]) => {
    const name = folder.slice(folder.indexOf('/') + 1);
    const module = join(bundles.get(folder)?.directory ?? '', 'handler.mjs');
    return { name, module, settings: { ...(await settingsOf(name)), ...environmentOf(aws) }, event };
  });
  return [bare, ...(await Promise.all(deployed))];
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
  const [windowStartsAt, windowEndsAt] = [0, 3600_000].map((after) => new Date(Date.now() + after).toISOString());
  const window = { windowStartsAt, windowEndsAt, lastCheckedAt: windowStartsAt };
  const { clientId } = client;
  return {
    path,
    attempt: { operationId, attempt: 1, clientId, amount, token: token.token, network, txHash, ...window },
  };
}

/** Milliseconds, without the start of Node itself: of all threads, and on the clock. */
async function measure({ module, settings, event }: Start): Promise<{ processor: number; clock: number }> {
  const script = `
    const [cpu, clock] = [process.cpuUsage(), performance.now()];
    const { handler } = await import(${JSON.stringify(pathToFileURL(module).href)});
    const answer = await handler(${JSON.stringify(event)}, { awsRequestId: 'cold', getRemainingTimeInMillis: () => 30_000 });
    const { user, system } = process.cpuUsage(cpu);
    const took = { processor: (user + system) / 1000, clock: performance.now() - clock, answer };
    process.stdout.write('\\n' + JSON.stringify(took), () => process.exit(0));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env['PATH'], ...settings },
  });
  return measured.parse(JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1)));
}
