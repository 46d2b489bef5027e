import type { Truth } from '#test/simulation/books/truth.ts';
import type { Chain } from './chain/chain.ts';
import { movedUrl } from './clients/webhook.ts';
import { mannerAt } from './endpoints/behaviour.ts';
import type { Endpoint, Endpoints } from './endpoints/endpoints.ts';
import type { Memory } from './memory.ts';
import type { SimulatedCustodian } from './providers/custodian.ts';
import type { SimulatedRail } from './providers/rail.ts';
import type { Script } from './script/script.ts';

interface Parts {
  readonly chain: Chain;
  readonly custodian: SimulatedCustodian;
  readonly rail: SimulatedRail;
  readonly endpoints: Endpoints;
  readonly memory: Memory;
}

/** Returns what really happens outside of the service; at each moment, everything so far. */
export function truthOf(script: Script, { chain, custodian, rail, endpoints, memory }: Parts): Truth {
  return {
    transfers: chain.all,
    sendings: custodian.sendings.all,
    get payments() {
      return [...rail.payments.values()];
    },
    calls: memory.calls,
    endpoints: endpointsOf(script).map(({ url, clientId, spells }) => ({
      url,
      clientId,
      isHostile: mannerAt(spells, script.quietFrom) !== 'OK',
    })),
    receipts: endpoints.receipts,
    notices: memory.notices,
    commands: memory.commands,
    lists: memory.lists,
    feeds: memory.feeds,
    payouts: memory.payouts,
    errors: memory.errors,
    isQuiet: script.isQuiet,
    custodianCalls: custodian.calls,
    railCalls: rail.calls,
    hostileClients: new Set(script.clients.filter(({ isHostile }) => isHostile).map(({ clientId }) => clientId)),
    routed: new Set(Object.keys(JSON.parse(script.settings['RETURNS'] ?? '{}'))),
    quietSince: script.quietFrom,
  };
}

/** Returns the endpoints of the round's webhooks, before and after a move. */
export function endpointsOf({ clients }: Pick<Script, 'clients'>): readonly Endpoint[] {
  return clients.flatMap(({ clientId, webhooks }) =>
    webhooks.flatMap((webhook) =>
      [webhook.url, movedUrl(webhook)].map((url) => ({ url, clientId, spells: webhook.spells })),
    ),
  );
}
