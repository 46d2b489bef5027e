import { formatAddress } from '#shared/networks/address.ts';
import { type Network, networks } from '#shared/networks/network.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { randomBytes } from '#test/simulation/world/chain/transaction-hash.ts';
import { START } from './moments.ts';
import type { ClientScript, UserScript, WalletScript, WebhookScript } from './script.ts';

/** One to four clients, each with users, wallets on several networks, and webhooks. */
export function writeClients(random: Random): readonly [ClientScript, ...ClientScript[]] {
  const others = Array.from({ length: random.below(4) }, (_, index) => writeClient(`client ${index + 2}`, random));
  return [writeClient('client 1', random), ...others];
}

function writeClient(name: string, random: Random): ClientScript {
  const clientId = random.id();
  return {
    name,
    clientId,
    secret: `secret of ${name}`,
    isHostile: false,
    users: [writeUser(random), ...(random.chance(0.4) ? [writeUser(random)] : [])],
    webhooks: Array.from({ length: 1 + random.below(2) }, (_, index) => writeWebhook(`${clientId}-${index}`, random)),
  };
}

function writeUser(random: Random): UserScript {
  const some = (): Network => random.pick<Network>(['POLYGON', ...networks]);
  return {
    userId: random.id(),
    wallets: [writeWallet(some(), random), ...(random.chance(0.5) ? [writeWallet(some(), random)] : [])],
  };
}

function writeWallet(network: Network, random: Random): WalletScript {
  return { walletId: random.id(), network, address: formatAddress(network, randomBytes(32, random)) };
}

function writeWebhook(host: string, random: Random): WebhookScript {
  return {
    url: `https://${host}.example/webhooks`,
    process: random.chance(0.9) ? 'ramp' : 'compliance',
    method: random.pick(['POST', 'PUT']),
    at: START,
    spells: [],
    changes: [],
  };
}
