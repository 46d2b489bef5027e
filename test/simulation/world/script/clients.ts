import { formatAddress, type Network } from '#shared/networks/network.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { randomBytes } from '#test/simulation/world/chain/transaction-hash.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';
import { HOUR, MINUTE, OPENING, START } from './moments.ts';
import type { ClientScript, UserScript, WalletScript } from './script.ts';
import { writeWebhook } from './webhooks.ts';

/** How clients read the feed; one without a webhook reads it hourly. */
const habits = ['HOURLY', 'AWAY', undefined] as const;

interface ClientContext {
  readonly random: Random;
  readonly swarm: Swarm;
  /** Draws milliseconds after a creation. */
  readonly moment: () => number;
  /** The networks of most wallets, so that their hashes collide. */
  readonly networks: readonly [Network, Network];
}

/** Writes one to four clients with users, wallets and webhooks. The last may be hostile. */
export function writeClients(context: ClientContext): readonly [ClientScript, ...ClientScript[]] {
  const { random, swarm } = context;
  const others = Array.from({ length: random.below(3) }, (_, index) => writeClient(context, `client ${index + 2}`));
  const hostile = random.chance(swarm.rounds.hostileClient) ? [writeClient(context, 'hostile client', true)] : [];
  return [writeClient(context, 'client 1'), ...others, ...hostile];
}

function writeClient(context: ClientContext, name: string, isHostile = false): ClientScript {
  const { random, swarm, moment } = context;
  const clientId = random.id();
  const webhooks = Array.from({ length: random.pick([0, 1, 1, 1, 1, 1, 1, 2]) }, (_, index) =>
    writeWebhook(`${clientId}-${index}`, swarm, moment, random),
  );
  const feed = webhooks.length === 0 ? habits[0] : random.pick(habits);
  return {
    name,
    clientId,
    secret: `secret of ${name}`,
    isHostile,
    readsLists: true,
    users: [writeUser(context), ...(random.chance(0.4) ? [writeUser(context)] : [])],
    webhooks,
    ...(feed && { feed }),
    ...(random.chance(swarm.rounds.leak) && { leak: writeLeak(context) }),
  };
}

function writeLeak({ random, moment }: ClientContext): NonNullable<ClientScript['leak']> {
  const at = START + OPENING + moment();
  return { at, until: at + random.below(random.pick([10 * MINUTE, 3 * HOUR])) };
}

function writeUser({ random, networks: [first, second] }: ClientContext): UserScript {
  return {
    userId: random.id(),
    wallets: [writeWallet(first, random), ...(random.chance(0.5) ? [writeWallet(second, random)] : [])],
  };
}

function writeWallet(network: Network, random: Random): WalletScript {
  return { walletId: random.id(), network, address: formatAddress(network, randomBytes(32, random)) };
}
