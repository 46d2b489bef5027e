import { formatAddress } from '#shared/networks/network.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { scriptOf } from '#test/simulation/run/round.ts';
import { randomBytes } from '#test/simulation/world/chain/transaction-hash.ts';
import { REFUSED_PHONE } from '#test/simulation/world/providers/rail.ts';
import { quieten } from '#test/simulation/world/quieten.ts';
import { HOUR, MINUTE, SECOND, START } from '#test/simulation/world/script/moments.ts';
import type { ClientScript, OffRampScript, PayinScript, Script } from '#test/simulation/world/script/script.ts';

const random = seeded(24, 0);
/** A network whose transfers are final within minutes, so that a missing credit is late soon. */
const NETWORK = 'POLYGON';
const wallet = {
  walletId: random.id(),
  network: NETWORK,
  address: formatAddress(NETWORK, randomBytes(32, random)),
} as const;
const client: ClientScript = {
  name: 'client 1',
  clientId: random.id(),
  secret: 'secret of client 1',
  isHostile: false,
  users: [{ userId: random.id(), wallets: [wallet] }],
  webhooks: [
    { url: 'https://a.example/webhooks', method: 'POST', process: 'ramp', at: START, spells: [], changes: [] },
  ],
};

/** When the first off-ramp is created: by then every alarm has seen data of its metrics. */
export const BEGINNING = START + 10 * MINUTE;

/** Milliseconds from an off-ramp's creation to its payment, and from there to finality. */
export const PAID = MINUTE;
export const FINAL = 4 * MINUTE;

export function offRampAt(at: number, payment = PAID): OffRampScript {
  const txHash = `0x${Buffer.from(randomBytes(32, random)).toString('hex')}`;
  const name = `off-ramp of ${new Date(at + payment).toISOString()}`;
  return {
    name,
    clientId: client.clientId,
    userId: client.users[0].userId,
    wallet,
    asset: { tokenId: 1, custodianAssetId: 'POLYGON:USDC', decimals: 6 },
    amount: String(100 + (at + payment - BEGINNING) / SECOND),
    externalReference: name,
    at,
    key: name,
    repeats: [],
    payments: [
      {
        after: payment,
        txHash,
        network: NETWORK,
        phases: [
          { after: 10 * SECOND, state: 'UNCONFIRMED', confirmations: 1, isKnown: true },
          { after: FINAL, state: 'CONFIRMED', confirmations: 64, isKnown: true },
        ],
        transfers: [{}],
      },
    ],
    submissions: [{ after: payment + 15 * SECOND, txHash }],
    cancellations: [],
    reads: [],
    messages: [],
    returns: [],
    payout: { after: 20 * SECOND, status: 'COMPLETED' },
  };
}

function payinAt(at: number): PayinScript {
  const name = `pay-in of ${new Date(at).toISOString()}`;
  return {
    name,
    clientId: client.clientId,
    userId: client.users[0].userId,
    paymentMethod: 'PSE',
    amount: 300_000 + (at - BEGINNING) / SECOND,
    bank: '1001',
    externalReference: name,
    at,
    key: name,
    repeats: [],
    reads: [],
    fates: [{ after: FINAL, status: 'COMPLETED' }],
  };
}

/** One client whose off-ramps and pay-ins succeed, without any randomness. */
function scriptWith(hours: number, acts: Pick<Script, 'offRamps' | 'payins'>): Script {
  const script = scriptOf({ seed: 7, round: 1 });
  quieten(script.swarm);
  const endsAt = BEGINNING + hours * HOUR;
  return {
    ...script,
    ...acts,
    clients: [client],
    hasOwnPayouts: true,
    notices: [],
    deeds: [],
    operators: [],
    finance: [],
    isQuiet: false,
    outages: [],
    deployments: [],
    badDeployments: [],
    quietFrom: endsAt + HOUR,
    endsAt,
  };
}

/** An off-ramp and a pay-in every twenty minutes, as in the first weeks of a service. */
export function fewOrders(hours = 1.25): Script {
  const times = Array.from({ length: Math.ceil(hours * 3) }, (_, index) => BEGINNING + index * 20 * MINUTE);
  return scriptWith(hours, { offRamps: times.map((at) => offRampAt(at)), payins: times.map(payinAt) });
}

/** Also, a client keeps ordering pay-ins that the rail refuses: fifteen in three minutes, at night. */
export function refusedOrders(): Script {
  const script = fewOrders();
  const refused = Array.from({ length: 15 }, (__, index): PayinScript => {
    const { bank: _, ...order } = payinAt(BEGINNING + 5 * MINUTE + index * 12 * SECOND);
    return { ...order, paymentMethod: 'NEQUI', phone: REFUSED_PHONE, fates: [] };
  });
  return { ...script, payins: [...script.payins, ...refused] };
}

/** Two days: an off-ramp an hour for twelve hours, and none at night. */
export function quietDays(): Script {
  const hours = Array.from({ length: 48 }, (_, hour) => hour).filter((hour) => hour % 24 < 12);
  return scriptWith(48, { offRamps: hours.map((hour) => offRampAt(BEGINNING + hour * HOUR)), payins: [] });
}
