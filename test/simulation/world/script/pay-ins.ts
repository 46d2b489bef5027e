import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { REFUSED_PHONE } from '#test/simulation/world/providers/rail.ts';
import { bankCodes } from './assets.ts';
import { HOUR, MINUTE, START } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { PayinScript, PaymentFate } from './script.ts';

/** Writes a pay-in: its client, its method, and what its payer does. */
export function writePayin(context: OffRampContext, number: number): PayinScript {
  const { random, swarm, clients, moment, beginnings } = context;
  const client = random.pick(clients);
  const paymentMethod = random.pick(['PSE', 'NEQUI', 'DAVIPLATA'] as const);
  const isRefused = random.chance(swarm.payers.refused);
  const [bank = ''] = bankCodes;
  const amount = 2000 + number + random.below(100) * 100_000;
  return {
    name: `pay-in ${number + 1}`,
    clientId: client.clientId,
    userId: random.pick(client.users).userId,
    paymentMethod,
    amount,
    ...(paymentMethods[paymentMethod].collectsFrom === 'bank'
      ? { bank }
      : { phone: isRefused ? REFUSED_PHONE : `31${String(10_000_000 + number)}` }),
    externalReference: `sale ${number + 1}`,
    ...(random.chance(0.3) && { expiresAfter: HOUR }),
    at: START + random.pick(beginnings) + random.below(3000),
    ...(!random.chance(swarm.clients.noKey) && { key: `pay-in ${number + 1}` }),
    repeats: random.chance(swarm.clients.repeat)
      ? [{ after: Math.min(moment(), HOUR), isAnother: random.chance(0.3) }]
      : [],
    reads: random.chance(swarm.clients.read) ? [{ after: moment(), what: random.pick(['PAYIN', 'LIST']) }] : [],
    fates: writeFates(context, amount),
  };
}

/** Writes a wrong payment: too little, too much, or in another currency. */
function writeOther(amount: number, random: Random): Pick<PaymentFate, 'amount' | 'currency'> {
  return random.pick([
    { amount: '1999.5' },
    { amount: `${amount - 1}.99` },
    { amount: `${amount}.01` },
    { amount: String(2 * amount) },
    { currency: 'USD' },
  ]);
}

/** Writes what happens to the payment at the rail. */
function writeFates({ random, swarm, moment }: OffRampContext, amount: number): readonly PaymentFate[] {
  const habits = swarm.payers;
  const after = moment();
  if (swarm.railManners.isWompi > 0 && random.chance(swarm.railManners.twice)) return writeTwice(after, random);
  if (random.chance(habits.never)) return [];
  if (random.chance(habits.other)) {
    const other: PaymentFate = { after, status: 'COMPLETED', ...writeOther(amount, random) };
    const whole: PaymentFate = { after: after + MINUTE + random.below(HOUR), status: 'COMPLETED' };
    return random.chance(habits.corrected) ? [other, whole] : [other];
  }
  const failed = random.pick<PaymentFate['status']>(['FAILED', 'EXPIRED']);
  if (random.chance(habits.late)) {
    return [
      { after, status: failed },
      { after: after + random.below(3 * HOUR) + MINUTE, status: 'COMPLETED' },
    ];
  }
  if (random.chance(habits.failure)) return [{ after, status: failed }];
  const paid: PaymentFate = { after, status: 'COMPLETED' };
  return random.chance(habits.takenBack)
    ? [paid, ...writeTakenBack(after + whenTakenBack(random), amount, random)]
    : [paid];
}

/** Two payments with one reference, each of which fails, or is paid and perhaps taken back. */
export function writeTwice(after: number, random: Random): readonly PaymentFate[] {
  const fates: PaymentFate[] = [];
  for (let at = after, left = 2 + random.below(3); left > 0; left -= 1) {
    const isOther = random.chance(0.5);
    const last = fates.findLast((fate) => fate.isOther === isOther)?.status;
    const status = last === undefined && random.chance(0.7) ? 'COMPLETED' : 'FAILED';
    if (last !== 'FAILED') fates.push({ after: at, status, isOther });
    at += MINUTE + random.below(random.chance(0.7) ? 3 * HOUR : 50 * HOUR);
  }
  return fates;
}

/** Within the hour, or days later, when the service no longer polls. */
function whenTakenBack(random: Random): number {
  return MINUTE + random.below(HOUR) + (random.chance(0.4) ? (48 + random.below(48)) * HOUR : 0);
}

/** The rail takes back the payment, all or a part, sometimes only for a while. */
function writeTakenBack(after: number, amount: number, random: Random): readonly PaymentFate[] {
  const taken: PaymentFate = random.pick([
    { after, status: 'FAILED' },
    { after, status: 'COMPLETED', amount: `${amount - 1}` },
  ]);
  const whole: PaymentFate = { after: after + MINUTE + random.below(HOUR), status: 'COMPLETED' };
  return random.chance(0.3) ? [taken, whole] : [taken];
}
