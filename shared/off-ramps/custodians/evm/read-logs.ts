import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { readAmount } from '#shared/platform/amount.ts';
import type { EvmChain, EvmToken } from './evm-chain.ts';
import { type EvmNode, type RpcCall, readResult } from './json-rpc.ts';

/** Two nodes that both call a block final have different data for it: one of them is wrong, and it is unknown which. */
export class NodesDisagree extends CustodianUnavailable {}

export const hash32 = z.string().check(z.regex(/^0x[0-9a-f]{64}$/i), z.toLowerCase());

export const evmAddress = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i), z.toLowerCase());

export const hexBytes = z.string().check(z.regex(/^0x(?:[0-9a-f]{2})*$/i), z.toLowerCase());

/** A hexadecimal number of a block, of a log or of seconds. */
export const hexNumber = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-f]{1,13}$/i)),
  z.transform((text) => Number(text)),
);

/** Seconds since 1970, in the range of dates. */
const seconds = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-f]{1,10}$/i)),
  z.transform((text) => Number(text)),
);

export const block = z.object({ number: hexNumber, hash: hash32, timestamp: seconds });

export type Block = z.infer<typeof block>;

/** keccak256 of `Transfer(address,address,uint256)` */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export const eventLog = z.object({
  address: evmAddress,
  topics: z.array(hash32),
  data: hexBytes,
  blockNumber: hexNumber,
  blockHash: hash32,
  transactionHash: hash32,
  logIndex: hexNumber,
  removed: z.optional(z.nullable(z.boolean())),
});

export type EventLog = z.infer<typeof eventLog>;

/** A movement of a listed token from one address to another. */
export interface Movement {
  readonly token: EvmToken;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
}

/** Returns `undefined` when the log is no transfer of a listed contract: an ERC-721's has four topics. */
export function movementOf({ tokens }: EvmChain, { address, topics, data, removed }: EventLog): Movement | undefined {
  const token = tokens.find(({ contract }) => contract === address);
  const [event, from, to, ...others] = topics;
  if (token === undefined || event !== TRANSFER_TOPIC || from === undefined || to === undefined) return undefined;
  if (others.length > 0 || data.length !== WORD_DIGITS + 2 || removed === true) return undefined;
  return { token, from: addressInWord(from), to: addressInWord(to), value: BigInt(data) };
}

/** Hexadecimal digits of 32 bytes. */
export const WORD_DIGITS = 64;

/** The address in a word: its last 20 bytes. */
export const addressInWord = (word: string) => `0x${word.slice(-40)}`;

/** An address padded to a word. */
export const toWord = (address: string) => `0x${address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')}`;

export const latestBlockCall: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] };

/** Asks for the newest final block by the chain's own rule, or for the newest block, to count confirmations from. */
export function finalBlockCall({ requiredConfirmations }: EvmChain): RpcCall {
  const tag = requiredConfirmations === undefined ? 'finalized' : 'latest';
  return { method: 'eth_getBlockByNumber', params: [tag, false] };
}

export const blockCall = (number: number): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [`0x${number.toString(16)}`, false],
});

/** The number of the newest final block, from the answer to `finalBlockCall`; below all blocks when there is none yet. */
export function finalBlockNumber({ requiredConfirmations = 1 }: EvmChain, answered: Block | null): number {
  return answered === null ? -1 : answered.number - requiredConfirmations + 1;
}

/** Reads the newest block of a node, and its newest final block. */
export async function readHeads(
  chain: EvmChain,
  node: EvmNode,
): Promise<{ readonly final: number; readonly finalized: Block | null; readonly latest: Block }> {
  const [final, latest] = await node.call([finalBlockCall(chain), latestBlockCall]);
  const finalized = readResult(node, z.nullable(block), final);
  return {
    final: finalBlockNumber(chain, finalized),
    finalized,
    latest: readResult(node, block, latest),
  };
}

/** Converts an amount in a token's smallest unit to exact decimal text. */
export function decimalText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return readAmount(text) ?? text;
}

/** Removes logs of the same name, because a node may return a log twice, and sorts the rest in the chain's order. */
export function sortUnique<Of extends EventLog>(logs: readonly Of[], name: (log: Of) => string): readonly Of[] {
  const different = [...new Map(logs.map((one) => [name(one), one])).values()];
  return different.toSorted((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex);
}
