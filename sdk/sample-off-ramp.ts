import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './connect.ts';
import type { Schemas } from './generated.ts';

/** Milliseconds: a chain is read each minute, and final some blocks later. */
const TIMEOUT = 150_000;
const AMOUNT = '250.5';
const TOO_LITTLE = '250';

/** An event as the client receives it, by webhook or in its feed. */
export interface ClientEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SampleDeposit {
  readonly network: Schemas.Network;
  readonly address: string;
  readonly amount: string;
}

interface SampleOrder {
  readonly userId: string;
  readonly walletId: string;
  readonly token: { readonly id: number; readonly token: string };
}

export interface SampleOffRamp extends SampleOrder {
  readonly call: Call;
  readonly say: (line: string) => void;
  /** Sends the deposit, as the user would. @returns the hash of the transaction */
  readonly send: (deposit: SampleDeposit) => Promise<string>;
  /** The events that the client has received so far. */
  readonly received: () => Promise<readonly ClientEvent[]>;
  readonly signal: AbortSignal;
}

/**
 * Makes a client's first reads. It changes nothing, so it is safe in production. @throws when a client could not start
 */
export async function readAsClient(call: Call): Promise<void> {
  await call('GET /api/infoClient');
  const { body = [] } = await call('GET /api/v1/admin/banks');
  if (body.length === 0) throw new Error('The list of banks is empty.');
}

/** Creates an off-ramp. @returns its status, its path, and the deposit that the user has to send */
export async function createOffRamp(call: Call, { userId, walletId, token }: SampleOrder) {
  const created = await call('POST /api/v1/admin/operation/{user_id}/withdrawal', {
    path: { user_id: userId },
    body: { originExternalWalletId: walletId, supportedTokenId: token.id, amount: AMOUNT },
  });
  const { id, status, network, address } = created.body.operation;
  return { status, path: { user_id: userId, operation_id: id }, deposit: { network, address, amount: AMOUNT } };
}

/**
 * One off-ramp, as a client's developer would try it, printed line by line: first a wrong deposit, with the evidence,
 * then the right one.
 *
 * @returns once the right deposit is sent: a function that waits for the event of the payout
 * @throws when it does not end as it should
 */
export async function runSampleOffRamp(sample: SampleOffRamp): Promise<() => Promise<void>> {
  const { call, say, token, send, signal } = sample;
  const { status, path, deposit } = await createOffRamp(call, sample);
  const { operation_id: id } = path;
  say(`       ${status}: send exactly ${AMOUNT} ${token.token} on ${deposit.network} to ${deposit.address}`);

  say(`\n       The user sends ${TOO_LITTLE} ${token.token}, too little, and the client reports the hash:`);
  const txHash = await send({ ...deposit, amount: TOO_LITTLE });
  await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path, body: { txHash } });
  say(`       VERIFYING ${txHash}`);
  const { verification } = await until(
    'the first check',
    async () => (await call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path })).body,
    (hash) => hash.verification?.reason === 'WRONG_AMOUNT',
    signal,
  );
  say(`       not verified: ${verification?.reason}, next check at ${verification?.nextCheckAt}`);
  for (const { check, passed, observed, expected } of verification?.checks ?? []) {
    say(`         ${passed ? '✓' : '✗'} ${check.padEnd(13)}  ${observed}${passed ? '' : `, expected ${expected}`}`);
  }
  await told(sample, 'UNMATCHED', ({ data }) => data['operationId'] === id && data['status'] === 'UNMATCHED');

  say(`\n       The user sends ${AMOUNT} ${token.token}, and nobody needs to report it:`);
  await send(deposit);
  const isTheEnd = ({ type, data }: ClientEvent) =>
    type === 'ramp.operation.status_changed' && data['operationId'] === id && data['status'] === 'COMPLETED';
  return async () => {
    await told(sample, 'COMPLETED', isTheEnd);
    say('       COMPLETED: the simulated payout was made');
  };
}

export function newTxHash(): string {
  return `0x${randomBytes(32).toString('hex')}`;
}

/** Sends a deposit on the simulated chain, whose custodian notifies the service of it. */
export async function sendInSandbox(
  call: Call,
  { from, token, network, address, amount }: SampleDeposit & { readonly from: string; readonly token: string },
  txHash = newTxHash(),
): Promise<string> {
  const facts = { network, txHash, fromAddress: from, toAddress: address, token, amount };
  await call('POST /api/sandbox/deposits', { body: { ...facts, state: 'CONFIRMED', notify: true } });
  return txHash;
}

/** Waits until the client has received such an event. */
export async function told(
  { received, signal }: Pick<SampleOffRamp, 'received' | 'signal'>,
  what: string,
  of: (event: ClientEvent) => boolean,
): Promise<void> {
  await until(`the client was told ${what}`, received, (events) => events.some(of), signal);
}

export async function until<T>(
  what: string,
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const givesUpAt = Date.now() + TIMEOUT;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > givesUpAt) throw new Error(`Timed out before ${what}. Last read: ${JSON.stringify(value)}`);
    await sleep(1000, undefined, { signal });
  }
}
