import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { localChain } from '#infra/cli/local-outputs.ts';
import { createChainClient } from '#infra/local/chain/chain-client.ts';
import { evmSettingsOf, publishChains, sampleAccountKey, startChains } from '#infra/local/chain/local-chains.ts';
import { sampleToken } from '#infra/local/chain/sample-token.ts';
import { reservePort } from '#infra/local/free-port.ts';
import { createDeriveAddress } from '#shared/off-ramps/custodians/evm/derive-addresses.ts';
import { custodianOf, describeOnChain, ownsOnly, scanned } from '#test/support/chain.ts';

test('the chains of the latest run are found, even when an earlier run ends after its start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'chains-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const chain = { chainId: 31_337, token: '', decimals: 6, fundedAccount: '', fundedPrivateKey: '' };
  const run = (rpcUrl: string) => publishChains({ POLYGON: { ...chain, rpcUrl } }, directory);
  const endFirst = await run('http://127.0.0.1:1');
  const endLast = await run('http://127.0.0.1:2');
  await endFirst();
  expect(await readFile(join(directory, 'chain.json'), 'utf8')).toContain('http://127.0.0.1:2');
  await endLast();
  expect(await readdir(directory)).toEqual([]);
});

describeOnChain('the chains of this machine', () => {
  test('POLYGON and BASE are two chains: a transfer on one is found only there, by its hash and by its address', async () => {
    const { chains: started, stop } = await startChains({ blockTime: 3_600 });
    onTestFinished(stop);
    const { POLYGON, BASE } = z.object({ POLYGON: localChain, BASE: localChain }).parse(started);
    const { address } = createDeriveAddress(sampleAccountKey)('0b6c4f2e-6a0b-4c43-9d0f-2f4b5a0c9b11');
    const base = createChainClient(BASE.rpcUrl);
    const txHash = await base.send({
      from: BASE.fundedAccount,
      to: BASE.token,
      data: sampleToken.transfer(address, 5n),
    });
    await base.mine(9);
    const waiting = await base.send({ from: BASE.fundedAccount, to: BASE.token, data: '0x' });
    expect([await base.drop(txHash), await base.drop(waiting)]).toEqual([false, true]);

    const { chains } = evmSettingsOf({ POLYGON, BASE });
    const ours = ownsOnly(address.toLowerCase());
    const both = custodianOf(chains, { POLYGON: [POLYGON.rpcUrl], BASE: [BASE.rpcUrl] }, ours);
    const found = await both.findTransfers({ network: 'BASE', txHash, since: '' });
    expect(found).toMatchObject([
      { network: 'BASE', state: 'CONFIRMED', amount: '0.000005', fromAddress: BASE.fundedAccount },
    ]);
    expect((await scanned(both, 'BASE')).transfers).toEqual(found);
    expect([
      await both.findTransfers({ network: 'POLYGON', txHash, since: '' }),
      (await scanned(both)).transfers,
    ]).toEqual([[], []]);
    const mistaken = custodianOf(chains, { POLYGON: [BASE.rpcUrl] }, ours);
    await expect(mistaken.findTransfers({ network: 'POLYGON', txHash, since: '' })).rejects.toThrow(
      'a node of another chain than 31337',
    );
  });

  test('a port that is taken is named as such', async () => {
    const taken = await reservePort();
    onTestFinished(taken.release);
    const started = startChains({ port: taken.port, blockTime: 3_600 });
    await expect(started).rejects.toThrow(
      `The chain did not start at port ${taken.port}: Error: Address already in use`,
    );
  });

  test('a chain ends with the run that has started it, also when that is killed', async () => {
    const start = `const { startAnvil, anvilProgram } = await import('./infra/local/chain/anvil.ts');
      await startAnvil({ program: anvilProgram(), chainId: 1 }).then(({ url }) => console.log(url));`;
    const run = spawn(process.execPath, ['--input-type=module', '-e', start], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void run.kill('SIGKILL'));
    const url = String((await once(run.stdout, 'data'))[0]).trim();
    const { blockNumber } = createChainClient(url);
    await blockNumber();
    run.kill('SIGKILL');
    await vi.waitFor(() => expect(blockNumber()).rejects.toThrow('fetch failed'), { timeout: 10_000 });
  });
});
