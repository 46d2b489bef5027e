import type { Network } from '#shared/networks/network.ts';
import { endStatuses, operationStatuses } from '#shared/off-ramps/model/off-ramp.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { newTransactionHash } from '#test/simulation/world/chain/transaction-hash.ts';
import { capitals } from '#test/simulation/world/providers/spelling.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';
import { assetsOn } from './assets.ts';
import { writeReturns } from './finance.ts';
import { HOUR, SECOND, START } from './moments.ts';
import { writePayments } from './payments.ts';
import type { AssetScript, ClientScript, OffRampScript, PaymentScript } from './script.ts';

/** The context of all off-ramps of a round. */
export interface OffRampContext {
  readonly random: Random;
  readonly swarm: Swarm;
  readonly clients: readonly [ClientScript, ...ClientScript[]];
  /** Draws milliseconds after a creation. */
  readonly moment: () => number;
  /** Milliseconds after the start of the round, around which off-ramps are created. */
  readonly beginnings: readonly [number, ...number[]];
}

/** Writes the next off-ramp: its client, its user's payments, and its client's calls. */
export function writeOffRamp(context: OffRampContext, earlier: readonly OffRampScript[]): OffRampScript {
  const number = earlier.length;
  const { random, swarm, clients, moment, beginnings } = context;
  const habits = { ...swarm.users, ...swarm.clients };
  const client = random.pick(clients);
  const user = random.pick(client.users);
  const wallet = random.pick(user.wallets);
  const [first, ...others] = assetsOn(wallet.network);
  if (first === undefined) throw new Error(`No token is active on ${wallet.network}.`);
  const last = earlier.findLast((offRamp) => offRamp.wallet === wallet);
  const same = random.chance(habits.sameAgain) ? last : undefined;
  const asset = same?.asset ?? random.pick([first, ...others]);
  const amount = same?.amount ?? writeAmount(asset, random);
  const payments = writePayments(context, { number, userId: user.userId, wallet, asset, amount, earlier });
  return {
    name: `off-ramp ${number + 1}`,
    clientId: client.clientId,
    userId: user.userId,
    wallet,
    asset,
    amount,
    externalReference: `order ${number + 1}`,
    at: START + random.pick(beginnings) + random.below(3000),
    ...(!random.chance(habits.noKey) && { key: `off-ramp ${number + 1}` }),
    repeats: random.chance(habits.repeat) ? [{ after: Math.min(moment(), HOUR), isAnother: random.chance(0.3) }] : [],
    payments,
    submissions: writeSubmissions(context, payments, wallet.network, earlier),
    cancellations: random.chance(habits.cancel) ? [{ after: moment() }] : [],
    reads: random.chance(habits.read) ? [{ after: moment(), what: random.pick(['OPERATION', 'HASH', 'LIST']) }] : [],
    returns: writeReturns(context, payments),
    ...writeSaid(context),
  };
}

/** Writes an amount, sometimes with all decimals of its token. */
function writeAmount({ decimals }: AssetScript, random: Random): string {
  const places = Math.min(decimals, random.pick([1, 2, 2, 6, 18]));
  const digits = Array.from({ length: places }, (_, place) => random.below(9) + (place === places - 1 ? 1 : 0));
  return `${1 + random.below(5000)}.${digits.join('')}`;
}

/** Writes the hashes that the client reports: of its payments (some twice), invented ones, or another payment's. */
function writeSubmissions(
  { random, swarm, moment }: OffRampContext,
  payments: readonly PaymentScript[],
  network: Network,
  earlier: readonly OffRampScript[],
): OffRampScript['submissions'] {
  const habits = swarm.clients;
  const some = (probability: number, txHashes: readonly string[]) =>
    txHashes.filter(() => random.chance(probability)).map((txHash) => ({ after: moment(), txHash }));
  const anothers = earlier
    .flatMap((offRamp) => offRamp.payments)
    .filter((payment) => payment.network === network)
    .map(({ txHash }) => txHash);
  const right = payments
    .filter(() => random.chance(habits.reportRight))
    .map(({ after, txHash }) => ({ after: after + random.below(20_000), txHash }));
  const own = payments.map(({ txHash }) => txHash);
  const spelled = own.map((txHash) => ` ${capitals(txHash)}\n`);
  return [
    ...right,
    ...some(habits.reportAgain, own),
    ...some(habits.reportOtherSpelling, spelled),
    ...some(habits.reportNonsense, ['', '0x12', own[0]?.slice(1) ?? 'none']),
    ...some(habits.reportWrong, [newTransactionHash(network, random)]),
    ...some(habits.reportAnothers, anothers.slice(-2)),
  ];
}

/** Writes the notices of other services: the payout of a verified off-ramp, and notices that contradict. */
function writeSaid({ random, swarm, moment }: OffRampContext): Pick<OffRampScript, 'messages' | 'payout'> {
  const habits = swarm.services;
  const isContradicted = random.chance(habits.contradiction);
  const message = (): OffRampScript['messages'][number] => ({
    after: moment(),
    source: random.pick(['COMPLIANCE', 'PAYOUTS']),
    status: random.pick(operationStatuses),
    ...(random.chance(0.5) && { reason: random.pick([null, '', 'SANCTIONS', 'x'.repeat(300)]) }),
  });
  const status = random.chance(habits.failure) ? random.pick(endStatuses) : 'COMPLETED';
  const isMistaken = random.chance(habits.mistake);
  const mistake = status === 'COMPLETED' ? { isPaidTwice: true } : { isPaidAfterAll: true };
  const comesBack =
    !isMistaken && random.chance(habits.comesBack) ? { comesBack: { isPaidAgain: random.chance(0.5) } } : {};
  const after = random.below(random.pick([10 * SECOND, HOUR]));
  const payout = { after, status, ...comesBack, ...(isMistaken && mistake) };
  return { messages: isContradicted ? [message(), message()] : [], ...(!random.chance(habits.silence) && { payout }) };
}
