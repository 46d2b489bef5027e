import type { Random } from '#test/simulation/kernel/random.ts';
import { newTransactionHash } from '#test/simulation/world/chain/transaction-hash.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';
import { assetsOn } from './assets.ts';
import { START } from './moments.ts';
import { writePayments } from './payments.ts';
import type { ClientScript, OffRampScript, PaymentScript } from './script.ts';

/** What all off-ramps of a round have in common. */
export interface OffRampContext {
  readonly random: Random;
  readonly swarm: Swarm;
  readonly clients: readonly [ClientScript, ...ClientScript[]];
  /** Milliseconds after a creation. */
  readonly moment: () => number;
  /** Milliseconds after the start of the round, at which creations meet. */
  readonly beginnings: readonly [number, ...number[]];
}

/** An off-ramp: who takes it, what its user pays, and what its client does about it. */
export function writeOffRamp(context: OffRampContext, number: number): OffRampScript {
  const { random, swarm, clients, moment, beginnings } = context;
  const habits = swarm.clients;
  const client = random.pick(clients);
  const user = random.pick(client.users);
  const wallet = random.pick(user.wallets);
  const [first, ...others] = assetsOn(wallet.network);
  if (first === undefined) throw new Error(`No token is active on ${wallet.network}.`);
  const asset = random.pick([first, ...others]);
  const amount = `${1 + random.below(5000)}.${1 + random.below(9)}${number + 1}`;
  const payments = writePayments(context, { number, wallet, asset, amount });
  return {
    name: `off-ramp ${number + 1}`,
    client,
    user,
    wallet,
    asset,
    amount,
    externalReference: `order ${number + 1}`,
    at: START + random.pick(beginnings) + random.below(3000),
    ...(!random.chance(habits.noKey) && { key: `off-ramp ${number + 1}` }),
    repeats: random.chance(habits.repeat) ? [{ after: moment(), isAnother: random.chance(0.3) }] : [],
    payments,
    submissions: writeSubmissions(context, payments, wallet.network),
    cancellations: random.chance(habits.cancel) ? [{ after: moment() }] : [],
    reads: random.chance(habits.read) ? [{ after: moment(), what: random.pick(['OPERATION', 'HASH', 'LIST']) }] : [],
    messages: [],
  };
}

/** Hashes that its client reports: of its payments, or made up. */
function writeSubmissions(
  { random, swarm, moment }: OffRampContext,
  payments: readonly PaymentScript[],
  network: PaymentScript['network'],
): OffRampScript['submissions'] {
  const right = payments
    .filter(() => random.chance(swarm.clients.reportRight))
    .map(({ after, txHash }) => ({ after: after + random.below(20_000), txHash }));
  if (!random.chance(swarm.clients.reportWrong)) return right;
  return [...right, { after: moment(), txHash: newTransactionHash(network, random) }];
}
