import { railSpecs } from '#shared/pay-ins/rails/rail-specs.ts';
import { REFUSED_PHONE } from '#test/simulation/world/providers/rail.ts';
import { bankCodes } from './assets.ts';
import { HOUR, MINUTE, START } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { PayinScript, PaymentFate } from './script.ts';

/** A pay-in: who collects, by which rail, and what its payer does. */
export function writePayin(context: OffRampContext, number: number): PayinScript {
  const { random, swarm, clients, moment, beginnings } = context;
  const client = random.pick(clients);
  const paymentMethod = random.pick(['PSE', 'NEQUI', 'DAVIPLATA'] as const);
  const isRefused = random.chance(swarm.payers.refused);
  const [bank = ''] = bankCodes;
  return {
    name: `pay-in ${number + 1}`,
    clientId: client.clientId,
    userId: random.pick(client.users).userId,
    paymentMethod,
    amount: 2000 + number + random.below(100) * 100_000,
    ...(railSpecs[paymentMethod].collectsFrom === 'bank'
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
    fates: writeFates(context),
  };
}

/** What becomes of the payment at the rail. */
function writeFates({ random, swarm, moment }: OffRampContext): readonly PaymentFate[] {
  const habits = swarm.payers;
  const after = moment();
  if (random.chance(habits.never)) return [];
  if (random.chance(habits.otherAmount)) return [{ after, status: 'COMPLETED', amount: '1999.5' }];
  const failed = random.pick<PaymentFate['status']>(['FAILED', 'EXPIRED']);
  if (random.chance(habits.late)) {
    return [
      { after, status: failed },
      { after: after + random.below(3 * HOUR) + MINUTE, status: 'COMPLETED' },
    ];
  }
  return [{ after, status: random.chance(habits.failure) ? failed : 'COMPLETED' }];
}
