import * as z from 'zod/mini';
import { type Network, network, networks } from '#shared/networks/network.ts';
import {
  type Custodian,
  type CustodianTransfer,
  CustodianUnavailable,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { EvmChain } from './evm-chain.ts';
import { createNode, type EvmNode, readResult } from './json-rpc.ts';
import { bytes, decimalText, type Movement, WORD } from './read-logs.ts';
import { isInBlock, readTransaction } from './read-transaction.ts';
import { firstBlockSince, type Ours, scanTransfers } from './scan-transfers.ts';

export type EvmChains = Readonly<Partial<Record<Network, EvmChain>>>;

/** The custodian's id of a token: the same contract may be on two networks. */
export function evmAssetId(network: Network, contract: string): string {
  return `${network}:${contract.toLowerCase()}`;
}

interface EvmDependencies {
  readonly chains: EvmChains;
  readonly clock: Clock;
  /** Which addresses are ours: on each network all that were given for any, because a key has the same address on each. */
  readonly ours: () => Promise<Ours>;
}

/**
 * The chain itself as custodian: its transfers are what the nodes of each network agree on. It gives no addresses: the
 * one function that derives them has the account's key, and no node.
 */
export function createEvmCustodian({ chains, clock, ours }: EvmDependencies) {
  const readers = new Map(
    networks.flatMap((network) => {
      const chain = chains[network];
      return chain === undefined ? [] : [[network, createReader(network, chain, clock)] as const];
    }),
  );
  const readerOf = (network: Network) => {
    const reader = readers.get(network);
    if (reader === undefined) throw new CustodianUnavailable(`No nodes of ${network} are configured.`);
    return reader;
  };

  return {
    name: 'evm',
    findTransfers: async ({ network, txHash }) => (await readerOf(network).read(txHash)).transfers,
    findTransfer: async ({ custodianTransferId, seen }) => {
      const [prefix, txHash = ''] = custodianTransferId.split(':');
      const network = networks.find((one) => one.toLowerCase() === prefix);
      if (network === undefined) throw new CustodianUnavailable('The id is of a network without nodes.');
      const { transfers, absentUpTo = -1 } = await readerOf(network).read(txHash);
      const found = transfers.find((transfer) => transfer.custodianTransferId === custodianTransferId);
      if (found !== undefined || seen?.block === undefined || absentUpTo < seen.block) return found;
      if (transfers.length === 0) await readerOf(network).notIn(seen.block, txHash);
      return { ...seen, state: 'GONE' };
    },
    /** One network after the other: its cursor is the network, and the block from which the next page reads. */
    listTransfers: async ({ createdSince, until, cursor }) => {
      const [first] = readers.keys();
      const [network, block] = cursor === undefined ? [first, undefined] : readCursor(cursor);
      if (network === undefined) return { transfers: [] };
      const reader = readerOf(network);
      const fromBlock = block ?? (await reader.firstBlockSince(createdSince));
      const { transfers, unreadFrom } = await reader.scan({ fromBlock, ours: await ours() });
      const after = [...readers.keys()][[...readers.keys()].indexOf(network) + 1];
      const next = unreadFrom === undefined ? after : `${network}:${unreadFrom}`;
      return {
        transfers: transfers.filter(({ createdAt }) => createdAt >= createdSince && createdAt <= until),
        ...(next !== undefined && { cursor: next }),
      };
    },
    /** What came to addresses of ours on one network, from a block on. */
    scan: async (network: Network, fromBlock: number) => readerOf(network).scan({ fromBlock, ours: await ours() }),
  } satisfies Omit<Custodian, 'assignDepositAddress'> & Record<string, unknown>;
}

const cursorParts = z.tuple([network, z.optional(z.coerce.number().check(z.int(), z.gte(0)))]);

function readCursor(cursor: string): z.infer<typeof cursorParts> {
  return cursorParts.parse(cursor.split(':'));
}

function createReader(network: Network, chain: EvmChain, clock: Clock) {
  const named = chain.nodes.map((url, at) => ({ name: `Node ${at + 1} of ${network}`, url }));
  const [first, ...others] = named.map(({ name, url }) => createNode({ name, url, chainId: chain.chainId, clock }));
  if (first === undefined) throw new Error(`${network} has no node.`);
  const nodes: readonly [EvmNode, ...EvmNode[]] = [first, ...others];
  let checked: Promise<unknown> | undefined;

  /** Once in a process; again after it failed. */
  const tokensChecked = async () => {
    checked ??= Promise.all(nodes.map((node) => checkTokens(chain, node)));
    try {
      await checked;
    } catch (error) {
      checked = undefined;
      throw error;
    }
  };

  const asTransfers = (
    txHash: string,
    state: CustodianTransfer['state'],
    facts: { readonly block: number; readonly confirmations: number; readonly timestamp: number },
    movements: readonly Movement[],
  ): readonly CustodianTransfer[] => {
    const counts = new Map<string, number>();
    return movements.map(({ token, from, to, value }) => {
      const prefix = `${network.toLowerCase()}:${txHash}:${token.contract}:${to}`;
      const n = counts.get(prefix) ?? 0;
      counts.set(prefix, n + 1);
      return {
        custodianTransferId: `${prefix}:${n}`,
        network,
        txHash,
        state,
        toAddress: to,
        fromAddress: from,
        assetId: evmAssetId(network, token.contract),
        amount: decimalText(value, token.decimals),
        confirmations: facts.confirmations,
        ...(chain.requiredConfirmations !== undefined && { requiredConfirmations: chain.requiredConfirmations }),
        block: facts.block,
        createdAt: new Date(facts.timestamp * 1000).toISOString(),
      };
    });
  };

  return {
    read: async (
      txHash: string,
    ): Promise<{ readonly transfers: readonly CustodianTransfer[]; readonly absentUpTo?: number }> => {
      await tokensChecked();
      const read = await readTransaction(chain, nodes, txHash);
      if (read.block === undefined) {
        return { transfers: [], ...(read.absentUpTo !== undefined && { absentUpTo: read.absentUpTo }) };
      }
      const state = read.isFinal ? (read.succeeded ? 'CONFIRMED' : 'FAILED') : 'UNCONFIRMED';
      return {
        transfers: asTransfers(txHash, state, read, read.movements),
        // What a final transaction does not hold, it never will.
        ...(read.isFinal && { absentUpTo: Number.POSITIVE_INFINITY }),
      };
    },
    /** @throws {CustodianUnavailable} when the block has it, although no node finds it by its hash any more. */
    notIn: async (block: number, txHash: string) => {
      if (await isInBlock(nodes, block, txHash)) {
        throw new CustodianUnavailable(`The nodes of ${network} no longer find ${txHash}, which is in block ${block}.`);
      }
    },
    firstBlockSince: (instant: string) => firstBlockSince(chain, first, instant),
    scan: async (from: { readonly fromBlock: number; readonly ours: Ours }) => {
      await tokensChecked();
      const { found, ...rest } = await scanTransfers(chain, nodes, from);
      const transfers = found.flatMap(({ txHash, isFinal, movements, ...facts }) =>
        asTransfers(txHash, isFinal ? 'CONFIRMED' : 'UNCONFIRMED', facts, movements),
      );
      return { transfers, ...rest };
    },
  };
}

const DECIMALS_CALL = '0x313ce567';
const SYMBOL_CALL = '0x95d89b41';

/**
 * A contract of another chain, or wrong decimals, would credit a wrong amount.
 *
 * @throws {CustodianUnavailable}
 */
async function checkTokens({ tokens }: EvmChain, node: EvmNode): Promise<void> {
  const calls = tokens.flatMap(({ contract: to }) =>
    [DECIMALS_CALL, SYMBOL_CALL].map((data) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })),
  );
  const answers = readResult(node, z.array(bytes), await node.call(calls));
  for (const [at, { contract, symbol, decimals }] of tokens.entries()) {
    const [itsDecimals = '0x', itsSymbol = '0x'] = answers.slice(2 * at);
    const isIt =
      itsDecimals.length === WORD + 2 && BigInt(itsDecimals) === BigInt(decimals) && textOf(itsSymbol) === symbol;
    if (!isIt)
      throw new CustodianUnavailable(`${node.name} has at ${contract} no ${symbol} with ${decimals} decimals.`);
  }
}

/** The text that a contract returned: with its length before it, or, as in the oldest tokens, 32 bytes. */
function textOf(data: string): string {
  const returned = Buffer.from(data.slice(2), 'hex');
  const isLong = returned.length >= 64;
  const text = isLong ? returned.subarray(64, 64 + Number(BigInt(`0x${returned.toString('hex', 32, 64)}`))) : returned;
  return text.toString('utf8').replaceAll('\0', '');
}
