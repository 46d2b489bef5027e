import { expect, onTestFinished, test } from 'vitest';
import { createChainClient } from '#infra/local/chain/chain-client.ts';
import { sampleAccountKey, settingsOf, startChains } from '#infra/local/chain/local-chains.ts';
import { sampleToken } from '#infra/local/chain/sample-token.ts';
import { createDeriveAddress } from '#shared/off-ramps/custodians/evm/derive-addresses.ts';
import { createEvmCustodian } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { describeOnChain } from '#test/support/chain.ts';

describeOnChain('the chains of this machine', () => {
  test('POLYGON and BASE are two chains: what is sent on one is found there alone, by its hash and by its address', async () => {
    const {
      chains: { POLYGON, BASE },
      stop,
    } = await startChains({ blockTime: 3_600 });
    onTestFinished(stop);
    const { address } = createDeriveAddress(sampleAccountKey)('0b6c4f2e-6a0b-4c43-9d0f-2f4b5a0c9b11');
    const base = createChainClient(BASE.rpcUrl);
    const txHash = await base.send({
      from: BASE.fundedAccount,
      to: BASE.token,
      data: sampleToken.transfer(address, 5n),
    });
    await base.mine(9);

    const custodianOf = (chains: Parameters<typeof createEvmCustodian>[0]['chains']) =>
      createEvmCustodian({ chains, clock: systemClock, ours: async () => ({ awaited: [address] }) });
    const both = custodianOf({ POLYGON: settingsOf(POLYGON), BASE: settingsOf(BASE) });
    const found = await both.findTransfers({ network: 'BASE', txHash, since: '' });
    expect(found).toMatchObject([
      { network: 'BASE', state: 'CONFIRMED', amount: '0.000005', fromAddress: BASE.fundedAccount },
    ]);
    expect((await both.scan('BASE', 0)).transfers).toEqual(found);
    expect([
      await both.findTransfers({ network: 'POLYGON', txHash, since: '' }),
      (await both.scan('POLYGON', 0)).transfers,
    ]).toEqual([[], []]);
    const mistaken = custodianOf({ POLYGON: { ...settingsOf(POLYGON), nodes: [BASE.rpcUrl] } });
    await expect(mistaken.findTransfers({ network: 'POLYGON', txHash, since: '' })).rejects.toThrow(
      'a node of another chain than 31337',
    );
  });
});
