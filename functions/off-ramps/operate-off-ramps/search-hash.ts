import { type Network, normaliseTransactionHash, transactionHashFormat } from '#shared/networks/network.ts';
import type { searchHashContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { type HashSearches, OPERATORS } from '#shared/off-ramps/store/hash-searches.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly searches: Pick<HashSearches, 'start'>;
  /** Networks that have a custodian in the settings. */
  readonly networks: readonly Network[];
  readonly clock: Clock;
}

/** Only starts the search; the sweep and the usual worker poll for it. */
export function searchHash({ searches, networks, clock }: Dependencies): Change<typeof searchHashContract> {
  return async ({ network, txHash: text }) => {
    if (!networks.includes(network)) {
      const message = `is not served at this stage, so nobody can be asked: ${networks.join(', ')}`;
      throw invalid({ path: 'body.arguments.network', code: 'NOT_ALLOWED', message });
    }
    const txHash = normaliseTransactionHash(network, text);
    if (txHash === undefined) {
      const message = `must be a transaction hash of ${network}: ${transactionHashFormat(network)}`;
      throw invalid({ path: 'body.arguments.txHash', code: 'INVALID_FORMAT', message });
    }
    const { endsAt, nextPollAt } = await searches.start({ clientId: OPERATORS, network, txHash }, clock.now());
    return { body: { network, txHash, endsAt, nextPollAt }, ids: { txHash } };
  };
}
