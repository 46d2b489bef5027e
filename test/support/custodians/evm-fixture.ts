import { sampleToken, smallestUnit } from '#infra/local/chain/sample-token.ts';
import { address, chainOfTest, nodeLike, ownsOnly } from '#test/support/chain.ts';
import type { CustodianFixture } from './custodian-fixture.ts';

/** A chain as custodian: a chain on this machine, whose server is a node. */
export const evmFixture: CustodianFixture = {
  name: 'evm',
  cannot: {
    HELD: 'nobody screens the transactions of a chain',
    'a tag': 'an EVM address has none',
    'a list': 'a chain is read by blocks',
    sending: 'the service has no key of the chain',
    'a balance': 'the money is spread over the addresses of operations',
    'a failure after the hash': 'it sends nothing',
  },
  start: async (clock) => {
    const chain = await chainOfTest();
    const { payer, other, mine, finalise } = chain;
    const tokens = [chain.usdc, chain.usdt];
    const tokenOf = async (decimals: number) => {
      const listed = tokens.find((token) => token.decimals === decimals);
      if (listed !== undefined) return listed;
      const symbol = `T${decimals}`;
      const contract = await chain.deploy(payer, { symbol, decimals });
      const token = { custodianAssetId: `POLYGON:${symbol}`, contract, symbol, decimals };
      tokens.push(token);
      return token;
    };
    const ours = [address(0xa1), address(0xa2)] as const;
    const at = (url: string) => ({ name: 'evm', ...chain.custodian({ tokens }, [url], ownsOnly(...ours), clock) });
    return {
      ours,
      pay: async ({ to: [first = '', ...others], amount, decimals, state }) => {
        const { contract: to, custodianAssetId: assetId } = await tokenOf(decimals);
        const units = smallestUnit(amount, decimals) ?? 0n;
        // A transfer without the sender's balance reverts. Several transfers need an allowance of the contract.
        const from = state === 'FAILED' ? other : payer;
        if (others.length > 0) await chain.send({ from, to, data: sampleToken.approve(to, units * 100n) });
        const [one, all] = [sampleToken.transfer(first, units), sampleToken.payAll([to], [first, ...others], units)];
        const txHash = await chain.send({ from, to, data: others.length > 0 ? all : one });
        await mine();
        if (state !== 'UNCONFIRMED') await finalise();
        return { network: 'POLYGON', txHash, assetId };
      },
      takeBack: async (txHash) => {
        await chain.reorg(1);
        await chain.drop(txHash);
      },
      finalise,
      adapter: () => at(chain.url),
      at,
      changed: async (change) => at(await nodeLike(chain.url, { result: (_, honest) => change(honest) })),
    };
  },
};
