import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type LocalChain, localChain } from '#infra/cli/local-outputs.ts';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { parseAddress } from '#shared/networks/network.ts';
import { createDeriveAddress } from '#shared/off-ramps/custodians/evm/derive-addresses.ts';
import { createEvmCustodian, createReaders } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { createChainClient } from './chain-client.ts';
import {
  chainFile,
  chainNetworks,
  describeChain,
  publishChains,
  sampleAccountKey,
  startChains,
} from './local-chains.ts';
import { sampleToken, smallestUnit } from './sample-token.ts';

const USAGE = `npm run chain [-- options]                 starts an Ethereum chain for POLYGON and one for BASE, with a token each; until Ctrl-C
  --port <port>                            where the first listens; the second follows (8545)
  --block-time <seconds>                   between two blocks (2)
npm run chain -- address <operation id>    the address of an operation, from the sample account's public key
npm run chain -- send <address> <amount>   sends the token; prints the hash
npm run chain -- received <operation id>   what came to that address, without anybody's report
npm run chain -- find <hash>               a transaction as the service reads it, as JSON
npm run chain -- mine <blocks>             makes blocks at once
npm run chain -- reorg <blocks>            replaces the newest blocks by empty ones
npm run chain -- drop <hash>               takes back a transaction that waits for a block
  --network BASE                           on that chain (POLYGON)`;

const running = z.record(z.enum(chainNetworks), localChain);

type Chain = LocalChain & ReturnType<typeof createChainClient>;

/** The commands, each with the words that follow it. */
const commands: Readonly<
  Record<string, readonly [words: readonly string[], run: (chain: Chain, words: readonly string[]) => Promise<unknown>]>
> = {
  send: [['address', 'amount'], (chain, [to = '', amount = '']) => send(chain, to, amount)],
  received: [['operation id'], (chain, [operationId = '']) => received(chain, operationId)],
  find: [['hash'], (chain, [hash = '']) => find(chain, hash)],
  mine: [['blocks'], (chain, [blocks = '']) => chain.mine(wholeNumber('mine', blocks))],
  reorg: [['blocks'], (chain, [blocks = '']) => chain.reorg(wholeNumber('reorg', blocks))],
  drop: [['hash'], (chain, [hash = '']) => drop(chain, hash)],
};

const options = readOptionsOrExit(USAGE, () => {
  const { values, positionals } = parseArgs({
    options: {
      port: { type: 'string', default: '8545' },
      'block-time': { type: 'string', default: '2' },
      network: { type: 'string', default: 'POLYGON' },
    },
    allowPositionals: true,
  });
  const [command = '', ...words] = positionals;
  const takes = command === '' ? [] : command === 'address' ? ['operation id'] : commands[command]?.[0];
  const network = chainNetworks.find((name) => name === values.network);
  if (takes === undefined) throw new Error(`There is no command ${command}.`);
  if (words.length !== takes.length)
    throw new Error(`${command} takes ${takes.map((word) => `<${word}>`).join(' ')}, and nothing else.`);
  if (network === undefined) throw new Error(`--network is one of ${chainNetworks.join(', ')}.`);
  const port = wholeNumber('--port', values.port, { most: 65_534 });
  return { command, words, network, port, blockTime: wholeNumber('--block-time', values['block-time']) };
});

try {
  if (options.command === '') await serve();
  else process.stdout.write(`${textOf((await run()) ?? 'Done.')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
  const { chains, stop } = await startChains(options);
  const end = await publishChains(chains);
  process.stdout.write(`${textOf(chains)}\nTwo chains, as in .local/chain.json, until Ctrl-C.\n`);
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
  await end();
  await stop();
}

async function run(): Promise<unknown> {
  const { command, words, network } = options;
  if (command === 'address') return createDeriveAddress(sampleAccountKey)(words[0] ?? '');
  const chain = await findChain(network).catch(() => {
    throw new Error('No chain runs: start one with npm start -- --chain, or npm run chain, in another terminal.');
  });
  return await commands[command]?.[1](chain, words);
}

/** The file may be of a run that was killed. @throws when its chain does not answer */
async function findChain(network: (typeof chainNetworks)[number]): Promise<Chain> {
  const chain = running.parse(JSON.parse(await readFile(chainFile, 'utf8')))[network];
  const client = createChainClient(chain.rpcUrl);
  await client.blockNumber();
  return { ...chain, ...client };
}

async function send({ token, decimals, fundedAccount: from, send: transact }: Chain, to: string, amount: string) {
  if (parseAddress(options.network, to) === undefined) throw new Error(`${to} is no address.`);
  const value = smallestUnit(amount, decimals);
  if (value === undefined) throw new Error(`${amount} is no amount with ${decimals} decimals at most.`);
  return await transact({ from, to: token, data: sampleToken.transfer(to, value) });
}

async function find(chain: Chain, txHash: string) {
  const query = { network: options.network, txHash: txHash.toLowerCase(), since: '' };
  return await custodianOf(chain, undefined).findTransfers(query);
}

async function drop(chain: Chain, hash: string): Promise<void> {
  if (!(await chain.drop(hash))) throw new Error(`No transaction with the hash ${hash} waits for a block.`);
}

async function received(chain: Chain, operationId: string) {
  const { address } = createDeriveAddress(sampleAccountKey)(operationId);
  const scan = custodianOf(chain, address.toLowerCase()).scanTransfers;
  // A transfer that becomes final meanwhile is listed again.
  const found = new Map<string, unknown>();
  let part = { cursor: JSON.stringify({ final: 0, newest: 0 }), isAtEnd: false };
  while (!part.isAtEnd) {
    const { transfers, ...next } = await scan({ network: options.network, cursor: part.cursor });
    for (const one of transfers) found.set(one.custodianTransferId, one);
    part = next;
  }
  return [...found.values()];
}

/** Without an address, the transfers to any address are listed. */
function custodianOf(chain: LocalChain, address: string | undefined) {
  const readers = createReaders({
    chains: { [options.network]: describeChain(options.network, chain) },
    nodes: { [options.network]: [chain.rpcUrl] },
    findOwnAddresses: async (addresses) => new Set(addresses.filter((one) => address === undefined || one === address)),
    clock: systemClock,
  });
  return createEvmCustodian((ask) => ask(readers), systemClock);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
