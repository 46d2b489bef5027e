import * as z from 'zod/mini';
import type { Network } from '#shared/networks/network.ts';
import { type CustodianTransfer, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import type { EvmChain } from './evm-chain.ts';
import { type EvmNode, readResult } from './json-rpc.ts';
import { decimalText, hexBytes, type Movement, NodesDisagree, WORD_DIGITS } from './read-logs.ts';
import { isInBlock, readTransaction } from './read-transaction.ts';
import { createScanTransfers, firstBlockSince, type ScanCursor } from './scan-transfers.ts';

/** Finds which of these addresses (lower case) are our own. */
export type FindOwnAddresses = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

interface ReaderDependencies {
  readonly network: Network;
  readonly chain: EvmChain;
  readonly nodes: readonly [EvmNode, ...EvmNode[]];
  readonly findOwnAddresses: FindOwnAddresses;
  readonly clock: Clock;
}

export type EvmReader = ReturnType<typeof createEvmReader>;

/** Reads one network: the transfers to our addresses on which its nodes agree. */
export function createEvmReader({ network, chain, nodes, findOwnAddresses, clock }: ReaderDependencies) {
  const scanTransfers = createScanTransfers(chain, nodes, { findOwnAddresses, clock });
  let checked: Promise<unknown> | undefined;

  /** Checks the tokens once; again after a failure. */
  const tokensChecked = async () => {
    checked ??= Promise.all(nodes.map((node) => checkTokens(chain, node)));
    try {
      await checked;
    } catch (error) {
      checked = undefined;
      throw error;
    }
  };

  const asked = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      await tokensChecked();
      return await ask();
    } catch (error) {
      if (error instanceof NodesDisagree) log.warn('NODES_DISAGREE', { network, cause: describe(error) });
      throw error;
    }
  };

  const asTransfers = (
    txHash: string,
    state: CustodianTransfer['state'],
    facts: { readonly block: number; readonly confirmations: number; readonly timestamp: number },
    movements: readonly Movement[],
    isOurs?: ReadonlySet<string>,
  ): readonly CustodianTransfer[] => {
    const counts = new Map<string, number>();
    return movements.flatMap(({ token, from, to, value }) => {
      if (isOurs?.has(to) === false) return [];
      const place = `${token.contract}:${to}`;
      const n = counts.get(place) ?? 0;
      counts.set(place, n + 1);
      const movementIndex = `${place}:${n}`;
      return {
        custodianTransferId: `${network.toLowerCase()}:${txHash}:${movementIndex}`,
        network,
        txHash,
        state,
        toAddress: to,
        fromAddress: from,
        assetId: token.custodianAssetId,
        amount: decimalText(value, token.decimals),
        confirmations: facts.confirmations,
        ...(chain.requiredConfirmations !== undefined && { requiredConfirmations: chain.requiredConfirmations }),
        block: facts.block,
        movementIndex,
        createdAt: new Date(facts.timestamp * 1000).toISOString(),
      };
    });
  };

  return {
    read: (txHash: string): Promise<TransfersRead> =>
      asked(async () => {
        const read = await readTransaction(chain, nodes, txHash);
        if (read.block === undefined) return nothing(read);
        const state = stateOf(read);
        const isOurs = await findOwnAddresses([...new Set(read.movements.map(({ to }) => to))]);
        return {
          transfers: asTransfers(txHash, state, read, read.movements, isOurs),
          ...(read.isFinal && NEVER),
        };
      }),

    /** Reads all transfers of a transaction, of any sender and receiver. A reverted transaction has moved nothing. */
    readAll: (txHash: string): Promise<TransfersRead> =>
      asked(async () => {
        const read = await readTransaction(chain, nodes, txHash);
        if (read.block === undefined) return nothing(read);
        const transfers = asTransfers(txHash, stateOf(read), read, read.movements);
        return { transfers, ...(read.isFinal && !read.succeeded && NEVER) };
      }),

    isListed: (contract: string) => chain.tokens.some((one) => one.contract === contract),

    /** @throws {CustodianUnavailable} when the block has the transaction, although no node finds its hash any more. */
    notIn: async (block: number, txHash: string) => {
      if (await isInBlock(nodes, block, txHash)) {
        throw new CustodianUnavailable(`The nodes of ${network} no longer find ${txHash}, which is in block ${block}.`);
      }
    },

    /** Reads the next part of the chain, from the cursor on, or from the first block since a time. */
    scan: (from: ScanCursor | { readonly since: string }) =>
      asked(async () => {
        if ('since' in from) {
          // Finding the first block takes many calls, so it is a part of its own, whose cursor is stored.
          const start = await firstBlockSince(chain, nodes[0], clock, from.since);
          return { transfers: [], cursor: { final: start, newest: start }, isAtEnd: false };
        }
        const { found, isOurs, ...rest } = await scanTransfers(from);
        const transfers = found.flatMap(({ txHash, isFinal, movements, ...facts }) =>
          asTransfers(txHash, isFinal ? 'CONFIRMED' : 'UNCONFIRMED', facts, movements, isOurs),
        );
        // Anybody can send a zero amount to any address. It costs a stranger little, but each would cost us a poll.
        return { transfers: transfers.filter(({ amount }) => amount !== '0'), ...rest };
      }),
  };
}

interface TransfersRead {
  readonly transfers: readonly CustodianTransfer[];
  /** A transfer seen earlier in a block up to this one, and not in `transfers`, is not in the final chain. */
  readonly absentUpTo?: number;
  /** True if `absentUpTo` comes from the final transaction itself. */
  readonly isRead?: true;
}

/** A final transaction never gets further transfers. */
const NEVER = { absentUpTo: Number.POSITIVE_INFINITY, isRead: true } as const;

const nothing = ({ absentUpTo }: { readonly absentUpTo?: number }): TransfersRead => ({
  transfers: [],
  ...(absentUpTo !== undefined && { absentUpTo }),
});

function stateOf({ isFinal, succeeded }: { readonly isFinal: boolean; readonly succeeded: boolean }) {
  return isFinal ? (succeeded ? 'CONFIRMED' : 'FAILED') : 'UNCONFIRMED';
}

const DECIMALS_CALL = '0x313ce567';
const SYMBOL_CALL = '0x95d89b41';

/**
 * Compares the symbol and decimals of each token with its contract: a contract of another chain, or wrong decimals,
 * would credit a wrong amount.
 *
 * @throws {CustodianUnavailable}
 */
async function checkTokens({ tokens }: EvmChain, node: EvmNode): Promise<void> {
  const calls = tokens.flatMap(({ contract: to }) =>
    [DECIMALS_CALL, SYMBOL_CALL].map((data) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })),
  );
  const answers = readResult(node, z.array(hexBytes), await node.call(calls));
  for (const [at, { contract, symbol, decimals }] of tokens.entries()) {
    const [itsDecimals = '0x', itsSymbol = '0x'] = answers.slice(2 * at);
    const isIt =
      itsDecimals.length === WORD_DIGITS + 2 &&
      BigInt(itsDecimals) === BigInt(decimals) &&
      textOf(itsSymbol) === symbol;
    if (!isIt)
      throw new CustodianUnavailable(`${node.name} has no ${symbol} with ${decimals} decimals at ${contract}.`);
  }
}

/** Reads a text that a contract returned: prefixed with its length, or 32 bytes as in the oldest tokens. */
function textOf(data: string): string {
  const returned = Buffer.from(data.slice(2), 'hex');
  const isLong = returned.length >= 64;
  const text = isLong ? returned.subarray(64, 64 + Number(BigInt(`0x${returned.toString('hex', 32, 64)}`))) : returned;
  return text.toString('utf8').replaceAll('\0', '');
}
