import { expect, test } from 'vitest';
import { networkSpecs, networks, parseAddress } from '#shared/networks/network.ts';
import { simulatedDepositAddress } from '#shared/off-ramps/custodians/simulated/simulated-custodian.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';

const assigned = (operationId: string, network: (typeof networks)[number]) =>
  simulatedDepositAddress({
    operationId,
    clientId: CLIENT,
    userId: USER,
    network,
    custodianAssetId: `${network}:USDC`,
    hasEnded: async () => undefined,
  });

test.each(networks)(
  'decisions 4, deposit address: on %s each operation has one of its own, the same each time',
  async (network) => {
    const [one, other] = [await assigned(OPERATION, network), await assigned(STRANGER, network)];
    expect(parseAddress(network, one.address)).toBeDefined();
    expect(await assigned(OPERATION, network)).toEqual(one);
    if (networkSpecs[network].family.hasTags) {
      expect(other.address).toBe(one.address);
      expect(one.tag).toMatch(/^\d{1,20}$/);
      expect(other.tag).not.toBe(one.tag);
    } else {
      expect(other.address).not.toBe(one.address);
      expect([one.tag, other.tag]).toEqual([undefined, undefined]);
    }
  },
);
