import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { ok, problem, type Request } from './answer.ts';
import { type FireblocksDouble, fault } from './double.ts';
import { startFireblocksDouble } from './server.ts';

/*
 * A workspace for the local stack. Its one user has all roles. Beside the API it serves `POST /_double/deposits` and
 * `POST /_double/faults` without a token. It exits when its standard input ends, or on SIGTERM.
 */

/** Seconds after which a deposit or an order is COMPLETED automatically. */
const COMPLETES_AFTER = 3;

const deposit = z.object({
  network,
  /** A symbol on that network, or a legacy id. */
  asset: z.string(),
  from: z.string(),
  to: z.string(),
  tag: z.optional(z.string()),
  amount: z.string(),
  txHash: z.optional(z.string()),
  /** The final status. Without it the deposit goes from CONFIRMING to COMPLETED automatically. */
  status: z.optional(z.string()),
  subStatus: z.optional(z.string()),
  screening: z.optional(z.enum(['PENDING', 'COMPLETED', 'BYPASSED', 'FAILED', 'FROZEN'])),
});

function putDeposit(double: FireblocksDouble, asked: z.output<typeof deposit>) {
  const { asset, from, to, tag, amount, ...rest } = asked;
  const named = double.catalogue.assets.find((one) => one.network === rest.network && one.symbol === asset);
  const { legacyId } = named ?? double.catalogue.asset(asset) ?? {};
  if (legacyId === undefined) return problem(400, `asset: ${rest.network} has no ${asset}.`, 400);
  const movement = { assetId: legacyId, from, to, amount, ...(tag === undefined ? {} : { tag }) };
  const records = double.deposit({ ...rest, movements: [movement] } as Parameters<typeof double.deposit>[0]);
  const [txHash] = records.map((one) => one.txHash);
  if (txHash !== undefined && asked.status === undefined) {
    setTimeout(() => double.confirm(txHash, Number.POSITIVE_INFINITY), COMPLETES_AFTER * 1000);
  }
  return ok({ txHash, ids: records.map(({ id }) => id) }, 201);
}

function control(double: FireblocksDouble, { method, path, body = '' }: Request) {
  if (!path.startsWith('/_double/')) return undefined;
  const name = method === 'POST' ? path.slice('/_double/'.length) : '';
  try {
    if (name === 'deposits') return putDeposit(double, z.parse(deposit, JSON.parse(body)));
    if (name !== 'faults') return problem(404, 'Not Found', 404);
    double.fail(z.parse(fault, JSON.parse(body)));
    return ok({});
  } catch (error) {
    return problem(400, error instanceof Error ? error.message : 'The body cannot be read', 400);
  }
}

const { values } = parseArgs({ options: { notify: { type: 'string' }, port: { type: 'string' } } });
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const user = { apiKey: randomUUID(), role: 'Non-Signing Admin' } as const;
const started = await startFireblocksDouble({
  seed: randomUUID(),
  isTest: true,
  activatesByItself: true,
  users: [{ ...user, publicKeyPem: publicKey }],
  ...(values.notify === undefined ? {} : { notifyUrl: values.notify }),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  control,
  ordered: ({ id }) => {
    setTimeout(() => started.double.change(id, { status: 'COMPLETED' }), COMPLETES_AFTER * 1000);
  },
});
const { url, jwksUrl, double: workspace } = started;
// The owner of the vault does this by hand: without the wallet no operation on Stellar has a tag.
const tagged = workspace.catalogue.chains.get('STELLAR')?.native;
workspace.answer(user, { method: 'POST', path: `/v1/vault/accounts/0/${tagged}` });
process.stdin
  .on('end', () => process.exit())
  .on('error', () => process.exit())
  .resume();
process.once('SIGTERM', () => process.exit());
process.stdout.write(
  `${JSON.stringify({ url, jwksUrl, credentials: { apiKey: user.apiKey, privateKeyPem: privateKey, jwksUrl } })}\n`,
);
