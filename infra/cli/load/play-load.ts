import { randomBytes } from 'node:crypto';
import { operatorAt } from '#infra/cli/new-client.ts';
import type { SmokeTarget } from '#infra/cli/smoke-target.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { ApiProblem } from '#sdk/api-problem.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { addLoadClient, type LoadClient } from './load-clients.ts';
import { createMeasurements, type Measurements } from './measurements.ts';

/** Milliseconds from the end of its confirmations after which an uncredited deposit counts as lost. */
const PATIENCE = 300_000;

/** The share of its limit of creations that a client uses, so that none is refused by chance. */
const USED = 0.8;

export interface LoadOptions {
  /** Off-ramps a second. */
  readonly rate: number;
  /** Pay-ins a second. */
  readonly payIns: number;
  readonly seconds: number;
}

interface Played {
  readonly measurements: Measurements;
  readonly clock: Clock;
}

/** Starts off-ramps and pay-ins at that rate, whatever the state of earlier ones. @returns true if all ended right */
export async function playLoad(
  target: SmokeTarget,
  { rate, payIns, seconds }: LoadOptions,
  { say, clock }: { readonly say: (line: string) => void; readonly clock: Clock },
): Promise<boolean> {
  const ops = operatorAt(target.options, 'Load test', { say: () => undefined, clock });
  const measurements = createMeasurements(clock);
  const perClient = USED * stageNamed(target.stage).costlyCalls.rate;
  const clients: LoadClient[] = [];
  try {
    const many = Math.ceil(Math.max(rate, payIns) / perClient);
    say(`Onboarding ${many} clients, each for at most ${perClient} creations of a kind a second.`);
    while (clients.length < many) clients.push(await addLoadClient(target, ops, measurements, clock));
    say(`Playing ${rate} off-ramps and ${payIns} pay-ins a second for ${seconds} seconds.`);
    const begun = clock.now().getTime();
    const played = { measurements, clock };
    await Promise.all([
      paced(rate, seconds, clock, (number) =>
        settled(played, 'off-ramp', playOffRamp(clientOf(clients, number), played)),
      ),
      paced(payIns, seconds, clock, (number) =>
        settled(played, 'pay-in', playPayin(clientOf(clients, number), played)),
      ),
    ]);
    const took = (clock.now().getTime() - begun) / 1000;
    const { length } = measurements.credited;
    say(`\n${length} off-ramps were credited in ${took.toFixed(0)} seconds: ${(length / took).toFixed(2)} a second.\n`);
    say(measurements.report());
    return [...measurements.endsOf().keys()].every((end) => end.endsWith(RIGHT));
  } finally {
    for (const { clientId, stop } of clients) {
      stop();
      await ops(['suspend-client', clientId, '--yes']).catch((error: Error) => say(`  ✗ ${error.message}`));
    }
  }
}

const RIGHT = 'as it should';

function clientOf(clients: readonly LoadClient[], number: number): LoadClient {
  const client = clients[number % clients.length];
  if (client === undefined) throw new Error('There is no client.');
  return client;
}

/** Starts one after another at that rate, and waits for all. */
async function paced(
  rate: number,
  seconds: number,
  clock: Clock,
  play: (number: number) => Promise<void>,
): Promise<void> {
  const begun = clock.now().getTime();
  const playing: Promise<void>[] = [];
  for (let number = 0; number < rate * seconds; number += 1) {
    await clock.sleep(Math.max(0, begun + (1000 * number) / rate - clock.now().getTime()));
    playing.push(play(number));
  }
  await Promise.all(playing);
}

async function settled({ measurements }: Played, what: string, order: Promise<void>): Promise<void> {
  try {
    await order;
    measurements.ended(what, RIGHT);
  } catch (error) {
    measurements.ended(what, error instanceof ApiProblem ? `${error.status} ${error.code ?? ''}` : String(error));
  }
}

/** Plays an off-ramp: its transaction is notified as seen, reported by its hash, and notified as final. */
async function playOffRamp(client: LoadClient, { measurements, clock }: Played): Promise<void> {
  const { call, userId, walletId, from, token, network } = client;
  const created = await call('POST /api/v1/admin/operation/{user_id}/withdrawal', {
    path: { user_id: userId },
    body: { originExternalWalletId: walletId, supportedTokenId: token.id, amount: '250.5' },
  });
  const { id, address } = created.body.operation;
  const credited = client.told(id, 'PENDING');
  const txHash = `0x${randomBytes(32).toString('hex')}`;
  const facts = { network, txHash, fromAddress: from, toAddress: address, token: token.token, amount: '250.5' };
  const path = { user_id: userId, operation_id: id };
  await call('POST /api/sandbox/deposits', { body: { ...facts, state: 'UNCONFIRMED', notify: true } });
  await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path, body: { txHash } });
  await call('POST /api/sandbox/deposits', { body: { ...facts, state: 'CONFIRMED', notify: true } });
  const finalAt = clock.now().getTime();
  const at = await inTime(credited, 'the client was told of the credit', clock);
  measurements.credited.push((at.getTime() - finalAt) / 1000);
  const { body } = await call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}', { path });
  const { status } = body.operation;
  if (status !== 'PENDING' && status !== 'COMPLETED') throw new Error(`credited, and then ${status}`);
}

async function playPayin(client: LoadClient, { clock }: Played): Promise<void> {
  const { call, userId, bank } = client;
  const { body } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
    path: { user_id: userId },
    body: { amount: 150_000, currency: 'COP', paymentMethod: 'PSE', bank, redirectUrl: 'https://client.example/paid' },
  });
  const paid = client.told(body.id, 'COMPLETED');
  await call('POST /api/sandbox/payins/{payin_id}', { path: { payin_id: body.id }, body: { status: 'COMPLETED' } });
  await inTime(paid, 'the client was told of the payment', clock);
}

async function inTime<Value>(awaited: Promise<Value>, what: string, clock: Clock): Promise<Value> {
  const late = clock.sleep(PATIENCE).then(() => {
    throw new Error(`timed out before ${what}`);
  });
  return await Promise.race([awaited, late]);
}
