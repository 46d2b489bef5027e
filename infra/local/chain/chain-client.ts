import * as z from 'zod/mini';
import { sampleToken } from './sample-token.ts';

const answer = z.union([z.object({ error: z.object({ message: z.string() }) }), z.object({ result: z.unknown() })]);

interface Sent {
  readonly from: string;
  readonly to?: string;
  readonly data: string;
  readonly nonce?: number;
  /** In gwei. A transaction with the same nonce and a higher fee replaces this one. */
  readonly fee?: number;
  readonly gas?: number;
}

const GAS = 16_000_000;

const hex = (value: number | bigint) => `0x${value.toString(16)}`;

/** Calls of people and tests to a chain of this machine, which signs for its own accounts. */
export function createChainClient(url: string) {
  const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answered = answer.parse(await response.json());
    if ('error' in answered) throw new Error(`${method}: ${answered.error.message}`);
    return answered.result;
  };
  const text = async (method: string, ...params: readonly unknown[]) => z.string().parse(await rpc(method, ...params));
  const mine = async (blocks = 1) => void (await rpc('anvil_mine', hex(blocks)));

  return {
    rpc,
    accounts: async () => z.array(z.string()).parse(await rpc('eth_accounts')),
    blockNumber: async () => Number(await text('eth_blockNumber')),
    /** Makes blocks. */
    mine,
    /** Removes the newest blocks, and makes as many others without their transactions. */
    reorg: async (blocks: number) => void (await rpc('anvil_reorg', blocks, [])),
    /** Withdraws a transaction that waits for a block. @returns false if none with this hash does */
    drop: async (hash: string) => (await rpc('anvil_dropTransaction', hash)) !== null,
    /** Sends a transaction, which then waits for a block. @returns its hash */
    send: ({ from, to, data, nonce, fee = 5, gas = GAS }: Sent): Promise<string> =>
      text('eth_sendTransaction', {
        from,
        ...(to !== undefined && { to }),
        data,
        gas: hex(gas),
        ...(nonce !== undefined && { nonce: hex(nonce) }),
        maxFeePerGas: hex(fee * 1e9),
        maxPriorityFeePerGas: hex(fee * 1e9),
      }),
    /** Puts a token on the chain whose whole supply is the account's. @returns its contract */
    async deploy(from: string, token: Parameters<typeof sampleToken.deployment>[0]): Promise<string> {
      const hash = await this.send({ from, data: sampleToken.deployment(token) });
      await mine();
      const receipt = z.object({ contractAddress: z.string() });
      return receipt.parse(await rpc('eth_getTransactionReceipt', hash)).contractAddress.toLowerCase();
    },
  };
}
