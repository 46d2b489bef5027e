import { describe, expect, test } from 'vitest';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { formatAddress, type Network } from '#shared/networks/network.ts';
import { checksOf } from '#shared/off-ramps/contract/hash-answer.ts';
import { isReadable } from '#shared/off-ramps/custodians/custodian.ts';
import { createFireblocksDouble } from '#test/doubles/fireblocks/double.ts';
import type { Movement } from '#test/doubles/fireblocks/transaction-record.ts';
import { creditWorld } from '#test/support/credit-world.ts';
import { callOfDouble, fireblocksOver } from '#test/support/custodians/fireblocks-fixture.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { logged } from '#test/support/logged.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const HOUR = 3600;

/** One network of each family, with its coin and a token. */
const families = [
  ['POLYGON', 'MATIC_POLYGON', 'USDC_POLYGON_NXTB'],
  ['TRON', 'TRX', 'TRX_USDT_S2UZ'],
  ['STELLAR', 'XLM', 'XLM_USDC_5F3T'],
  ['SOLANA', 'SOL', 'SOL_USDC_PTHX'],
  ['SUI', 'SUI', 'USDC_SUI_MADE_UP'],
] as const;

const changes = ['ADDRESS', 'TOKEN', 'AMOUNT', 'SENDER'] as const;

async function world(network: Network, baseAsset: string, assetId: string) {
  logged();
  const clock = fakeClock(CREATED_AT);
  const double = createFireblocksDouble({ clock });
  const [ours = '', sender = '', stranger = ''] = [1, 2, 3].map((one) =>
    withChecksum(network, formatAddress(network, Buffer.alloc(32, one))),
  );
  const isTagged = network === 'STELLAR';
  const networks = { [network]: { baseAsset, assets: [assetId] } };
  const credit = await creditWorld({
    ...{ clock, network, decimals: 6 },
    facts: {
      ...{ custodianAssetId: assetId, address: ours, senderAddress: sender, amount: '100.5' },
      ...(isTagged && { addressTag: '7' }),
    },
    custodian: () => fireblocksOver({ call: callOfDouble(double), clock, networks }),
  });
  const awaited: Movement = { assetId, amount: '100.500000', to: ours, from: sender, ...(isTagged && { tag: '7' }) };
  const differences: Readonly<Record<(typeof changes)[number], Partial<Movement>>> = {
    ADDRESS: isTagged ? { tag: '8' } : { to: stranger },
    TOKEN: { assetId: baseAsset },
    AMOUNT: { amount: '100.500001' },
    SENDER: { from: stranger },
  };
  /** A final deposit, which Fireblocks lists within the hour. */
  const arrive = async (difference: Partial<Movement>) => {
    const movements = [{ ...awaited, ...difference }] as const;
    const [{ txHash, id } = expect.fail()] = double.deposit({ network, movements, status: 'COMPLETED' });
    await credit.pass(HOUR + 1);
    const [found] = await credit.findTransfers({ network, txHash, since: CREATED_AT });
    const transfer = found !== undefined && isReadable(found) ? found : expect.fail('It is unreadable.');
    const failed = checksOf(credit.operation, transfer).filter(({ passed }) => !passed);
    return { txHash, failed: failed.map(({ check }) => check), deposit: await credit.deposit(`fireblocks:${id}`) };
  };
  return { ...credit, arrive, differences };
}

describe.each(families)('decisions 9, checks: through Fireblocks, of a deposit on %s', (network, coin, token) => {
  test.each(changes)('%s alone can fail, and then it is not credited; the right one is', async (change) => {
    const { arrive, credited, differences } = await world(network, coin, token);
    const wrong = await arrive(differences[change]);
    expect([wrong.failed, await credited()]).toEqual([[change], undefined]);
    // What arrives at no address of an operation has no reasons of one.
    expect(wrong.deposit?.reasons ?? []).toEqual(change === 'ADDRESS' ? [] : [`WRONG_${change}`]);
    const right = await arrive({});
    expect([right.failed, await credited()]).toEqual([[], right.txHash]);
  });
});
