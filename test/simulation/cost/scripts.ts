import { formatAddress } from '#shared/networks/network.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { writePhases } from '#test/simulation/world/chain/phases.ts';
import { newTransactionHash, randomBytes } from '#test/simulation/world/chain/transaction-hash.ts';
import { assetsOn, bankCodes } from '#test/simulation/world/script/assets.ts';
import { HOUR, OPENING, SECOND, START } from '#test/simulation/world/script/moments.ts';
import { quietAfter } from '#test/simulation/world/script/quiet.ts';
import type {
  ClientScript,
  OffRampScript,
  PayinScript,
  Script,
  WalletScript,
} from '#test/simulation/world/script/script.ts';
import { drawSwarm } from '#test/simulation/world/swarm.ts';

/** The courses that are counted, each from its creation until nothing more happens. */
export const courses = ['offRamp', 'payIn', 'neverFound', 'neverPaid'] as const;

export type Course = (typeof courses)[number];

const NETWORK = 'POLYGON';

/** Milliseconds between two creations, at a million a month. */
const GAP = 2600;

/** After the first call for a pay-in that is left open, and the poll a week later. */
const NEVER = 40 * 24 * HOUR;

/** Returns a script with this many of a course, by one client with this many webhooks, in which nothing fails. */
export function scriptOf(course: Course, many: number, webhooks: number): Script {
  const random = seeded(many, webhooks);
  const client = writeClient(webhooks);
  const ofEach = <Each>(write: (number: number) => Each) => Array.from({ length: many }, (_, number) => write(number));
  const isOffRamp = course === 'offRamp' || course === 'neverFound';
  const acts = {
    clients: [client],
    offRamps: isOffRamp ? ofEach((number) => writeOffRamp(course === 'offRamp', number, client)) : [],
    payins: isOffRamp ? [] : ofEach((number) => writePayin(course === 'payIn', number, client)),
    ...{ notices: [], deeds: [], outages: [], deployments: [], badDeployments: [], operators: [], finance: [] },
  };
  return {
    ...acts,
    swarm: drawSwarm({ ...random, chance: () => false }, true),
    // An unpaid pay-in alerts a person, as it should, which a quiet round forbids.
    isQuiet: false,
    hasOwnPayouts: true,
    quietFrom: quietAfter(acts),
    settings: {},
  };
}

function writeClient(webhooks: number): ClientScript {
  const random = seeded(1);
  const wallet: WalletScript = {
    walletId: random.id(),
    network: NETWORK,
    address: formatAddress(NETWORK, randomBytes(32, random)),
  };
  return {
    name: 'client',
    clientId: random.id(),
    secret: 'secret of client',
    isHostile: false,
    users: [{ userId: random.id(), wallets: [wallet] }],
    webhooks: Array.from({ length: webhooks }, (_, number) => ({
      url: `https://webhook-${number}.example/webhooks`,
      process: 'ramp' as const,
      method: 'POST' as const,
      at: START + 5 * SECOND,
      spells: [],
      changes: [],
    })),
  };
}

/** The deposit is reported and notified, as usual; or the client reports a hash that no transaction has. */
function writeOffRamp(isFound: boolean, number: number, { clientId, users: [user] }: ClientScript): OffRampScript {
  const random = seeded(number, 2);
  const [wallet] = user.wallets;
  const [asset] = assetsOn(NETWORK);
  if (asset === undefined) throw new Error(`No token is active on ${NETWORK}.`);
  const txHash = newTransactionHash(NETWORK, random);
  const sent = { after: 20 * SECOND, txHash, network: NETWORK, phases: writePhases('USUAL', NETWORK, random) } as const;
  return {
    ...{ name: `off-ramp ${number}`, clientId, userId: user.userId, wallet, asset, amount: '250.5' },
    ...{ externalReference: `order ${number}`, key: `off-ramp ${number}`, at: START + 2 * OPENING + number * GAP },
    ...{ repeats: [], cancellations: [], reads: [], messages: [], returns: [] },
    payments: isFound ? [{ ...sent, transfers: [{}] }] : [],
    submissions: [{ after: 25 * SECOND, txHash }],
    ...(isFound && { payout: { after: 10 * SECOND, status: 'COMPLETED' } }),
  };
}

function writePayin(isPaid: boolean, number: number, { clientId, users: [user] }: ClientScript): PayinScript {
  return {
    ...{ name: `pay-in ${number}`, clientId, userId: user.userId, paymentMethod: 'PSE', bank: bankCodes[0] ?? '' },
    ...{ amount: 50_000 + number, externalReference: `sale ${number}`, key: `pay-in ${number}` },
    ...{ at: START + 2 * OPENING + number * GAP, repeats: [], reads: [] },
    fates: [isPaid ? { after: 90 * SECOND, status: 'COMPLETED' } : { after: NEVER, status: 'EXPIRED' }],
  };
}
