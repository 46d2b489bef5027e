import { describe, expect, test } from 'vitest';
import { hasWrongChecksum, withChecksum } from '#shared/networks/address-checksum.ts';
import { formatAddress, isSameAddress, networkSpecs, networks } from '#shared/networks/network.ts';

/** The examples of EIP-55: in capitals only, in small letters only, and mixed. */
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

const MIXED = EIP_55.slice(4);

describe('EVM', () => {
  test.each(EIP_55)('decisions 4, wallet addresses: %s has the checksum of EIP-55', (address) => {
    for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
      expect(withChecksum('POLYGON', text)).toBe(address);
      expect(hasWrongChecksum('POLYGON', text)).toBe(false);
    }
  });

  test.each(MIXED)('decisions 4, wallet addresses: %s with one letter in the other case is mistyped', (address) => {
    for (const [place, letter] of [...address].entries()) {
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      if (place < 2 || other === letter) continue;
      expect(hasWrongChecksum('BASE', address.slice(0, place) + other + address.slice(place + 1))).toBe(true);
    }
  });

  test('decisions 4, what counts as confirmed: whatever case a custodian writes, it is the same account', () => {
    for (const address of MIXED) {
      const odd = `0x${address.slice(2).replace(/[a-z]/g, (letter, place) => (place % 2 ? letter : letter.toUpperCase()))}`;
      expect(hasWrongChecksum('BASE', odd)).toBe(true);
      expect(isSameAddress('BASE', odd, address)).toBe(true);
    }
  });
});

describe.each(networks)('%s', (network) => {
  test('decisions 4, wallet addresses: the address that is shown is the same account, with a right checksum', () => {
    const address = formatAddress(
      network,
      Uint8Array.from({ length: 32 }, (_, place) => place * 37),
    );
    const given = withChecksum(network, address);
    expect(isSameAddress(network, given, address)).toBe(true);
    expect(hasWrongChecksum(network, given)).toBe(false);
    expect(given === address).toBe(!networkSpecs[network].family.hasChecksumCase);
  });

  test('decisions 4, wallet addresses: a text that is no address is shown unchanged', () => {
    for (const text of ['', 'address', '0xAb', 'a'.repeat(200)]) expect(withChecksum(network, text)).toBe(text);
  });
});
