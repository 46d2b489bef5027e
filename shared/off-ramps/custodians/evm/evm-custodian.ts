import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type Network, networks } from '#shared/networks/network.ts';
import { createFindAssignedAddresses } from '#shared/off-ramps/custodians/assigned-addresses.ts';
import { type Custodian, CustodianUnavailable, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import { createTakeShare } from '#shared/off-ramps/custodians/hash-shares.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createSecret } from '#shared/platform/aws/secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createProviderLimits, type ProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { setting } from '#shared/platform/environment.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { type EvmChains, type EvmNodes, evmChains, evmNodes, POLLS_PER_MINUTE } from './evm-chain.ts';
import { createEvmReader, type EvmReader, type FindOwnAddresses } from './evm-reader.ts';
import { createNode } from './json-rpc.ts';

type EvmReaders = ReadonlyMap<string, EvmReader>;

/** Calls `ask` with the readers of the networks, which use the nodes that the secret names now. */
type WithReaders = <Answer>(ask: (readers: EvmReaders) => Promise<Answer>) => Promise<Answer>;

type EvmCustodian = Required<Pick<Custodian, 'findTransfers' | 'findTransfer' | 'scanTransfers' | 'findOutgoing'>>;

/** The chain as a custodian, from a function's settings. The function that assigns addresses has no nodes. */
export function createEvmSearch(clock: Clock): EvmCustodian {
  const chains = evmChains.parse(JSON.parse(setting('EVM_CHAINS')));
  const secretsManager = new SecretsManagerClient(awsClientOptions);
  const findOwnAddresses = createFindAssignedAddresses(dynamo, setting('HASHES_TABLE'), clock);
  const nodes = createSecret({ secretsManager, clock }, setting('EVM_NODES'), (text) =>
    createReaders({ chains, nodes: evmNodes.parse(JSON.parse(text)), findOwnAddresses, clock }),
  );
  nodes.warmUp();
  const table = setting('PROVIDER_LIMITS_TABLE');
  const limitsOf = (network: Network) => createProviderLimits({ dynamo, table, clock }, `evm#${network}`);
  return limitCalls(createEvmCustodian(nodes.use, clock), chains, limitsOf);
}

/** Half of the polls may be for transactions that were unknown at the last poll, as with Fireblocks. */
export const UNKNOWN_PERCENT = 50;

/** Limits the polls for reported hashes: the rest is for the scan and for deposits, which need no report. */
export function limitCalls(
  { findTransfers, ...rest }: EvmCustodian,
  chains: EvmChains,
  limitsOf: (network: Network) => Pick<ProviderLimits, 'take'>,
): EvmCustodian {
  return {
    ...rest,
    findTransfers: async (query) => {
      const { pollsPerMinute: callsPerMinute = POLLS_PER_MINUTE } = chains[query.network] ?? {};
      const allowed = { callsPerMinute, unknownHashesPercent: UNKNOWN_PERCENT };
      await createTakeShare(limitsOf(query.network), allowed)(query);
      return findTransfers(query);
    },
  };
}

export function createReaders({
  chains,
  nodes,
  ...rest
}: {
  readonly chains: EvmChains;
  readonly nodes: EvmNodes;
  readonly findOwnAddresses: FindOwnAddresses;
  readonly clock: Clock;
}): EvmReaders {
  return new Map(
    networks.flatMap((network) => {
      const chain = chains[network];
      const urls = nodes[network] ?? [];
      if (chain === undefined) return [];
      const { chainId } = chain;
      // Nodes are not named by their URL, which may contain a key.
      const named = urls.map((url, at) => ({ url, name: `Node ${at + 1} of ${network}` }));
      const [first, ...others] = named.map((one) => createNode({ ...one, chainId, clock: rest.clock }));
      if (first === undefined) return [];
      return [[network, createEvmReader({ network, chain, nodes: [first, ...others], ...rest })] as const];
    }),
  );
}

/** How far back the first scan begins, in milliseconds: an address may have been assigned before it. */
const DAY = 24 * 3600_000;

/** Returns the transfers on which the nodes of each network agree. */
export function createEvmCustodian(withReaders: WithReaders, clock: Clock): EvmCustodian {
  const ask = async <Answer>(network: string, question: (reader: EvmReader) => Promise<Answer>): Promise<Answer> => {
    try {
      return await withReaders((readers) => {
        const reader = readers.get(network);
        if (reader === undefined) throw new CustodianUnavailable(`No nodes of ${network} are configured.`);
        return question(reader);
      });
    } catch (error) {
      const isSecret = error instanceof Unavailable && !(error instanceof CustodianUnavailable);
      throw isSecret ? new CustodianUnavailable(error.message) : error;
    }
  };

  return {
    findTransfers: async ({ network, txHash }) => (await ask(network, (reader) => reader.read(txHash))).transfers,
    findTransfer: ({ custodianTransferId, seen }) => {
      const [prefix = '', txHash = '', contract = ''] = custodianTransferId.split(':');
      const network = prefix.toUpperCase();
      return ask(network, async (reader) => {
        const read = await reader.read(txHash);
        const found = read.transfers.find((transfer) => transfer.custodianTransferId === custodianTransferId);
        if (found !== undefined) return found;
        // The transfer may still be on the chain: a deposit that exists must not be reported as gone.
        if (!reader.isListed(contract)) throw new NotServed(`The settings of ${network} list no contract ${contract}.`);
        return goneOf(reader, txHash, read, seen);
      });
    },
    findOutgoing: ({ network, txHash, seen }) =>
      ask(network, async (reader) => {
        const read = await reader.readAll(txHash);
        const gone = read.transfers.length === 0 ? await goneOf(reader, txHash, read, seen) : undefined;
        if (gone !== undefined) return [gone];
        return read.transfers.map(({ custodianTransferId: movementId, fromAddress: from, ...transfer }) => {
          const { state, toAddress, assetId, amount, createdAt, block } = transfer;
          return { movementId, network, txHash, state, from, toAddress, assetId, amount, createdAt, block };
        });
      }),
    scanTransfers: ({ network, cursor }) =>
      ask(network, async (reader) => {
        const since = new Date(clock.now().getTime() - DAY).toISOString();
        const scanned = await reader.scan(cursor === undefined ? { since } : scanCursor.parse(JSON.parse(cursor)));
        return { ...scanned, cursor: JSON.stringify(scanned.cursor) };
      }),
  };
}

/** Returns `seen` with the state GONE, if the final chain is past its block and does not have the transaction. */
async function goneOf<Seen extends { readonly block?: number | undefined }>(
  reader: EvmReader,
  txHash: string,
  { absentUpTo = -1, isRead }: Awaited<ReturnType<EvmReader['read']>>,
  seen: Seen | undefined,
) {
  if (seen?.block === undefined || absentUpTo < seen.block) return undefined;
  if (!isRead) await reader.notIn(seen.block, txHash);
  return { ...seen, state: 'GONE' as const };
}

const scanCursor = z.object({ final: z.int(), newest: z.int() });
