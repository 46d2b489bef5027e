import { expect, test } from 'vitest';
import { sampleToken, smallestUnit } from '#infra/local/chain/sample-token.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { evmAssetId } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { decimalText } from '#shared/off-ramps/custodians/evm/read-logs.ts';
import { judgeDeposit } from '#shared/off-ramps/model/deposit-match.ts';
import { address, chainOfTest, describeOnChain, nodeLike } from '#test/support/chain.ts';

const OURS = address(0xa1);
const states = (transfers: readonly CustodianTransfer[]) => transfers.map(({ state }) => state);

describeOnChain('decisions 12: what the chain itself says of a transaction', () => {
  test('none until it is in a block, not final until the final block is past it, then exactly what moved', async () => {
    const { pay, mine, finalise, found, payer, usdc } = await chainOfTest();
    const hash = await pay(OURS, 100_500_000n);
    expect(await found(hash)).toEqual([]);
    await mine();
    expect(states(await found(hash))).toEqual(['UNCONFIRMED']);
    await finalise();
    const [transfer] = await found(hash);
    expect(custodianTransfer.parse(transfer)).toEqual({
      custodianTransferId: `polygon:${hash}:${usdc.contract}:${OURS}:0`,
      network: 'POLYGON',
      txHash: hash,
      state: 'CONFIRMED',
      toAddress: OURS,
      fromAddress: payer,
      assetId: evmAssetId('POLYGON', usdc.contract),
      amount: '100.5',
      confirmations: 9,
      block: 3,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test('the four checks: confirmed, the right address, the exact amount, the declared sender; each fails alone', async () => {
    const { pay, mine, finalise, found, payer, other, usdc, usdt } = await chainOfTest();
    const [right, less] = [await pay(OURS, 100_500_000n), await pay(OURS, 100_499_999n)];
    const expected = {
      network: 'POLYGON',
      address: OURS,
      custodianAssetId: evmAssetId('POLYGON', usdc.contract),
      amount: '100.5',
      senderAddress: payer,
    } as const;
    const judged = async (
      hash: string,
      differences: Partial<typeof expected> | { readonly senderAddress: string } = {},
    ) => judgeDeposit({ ...expected, ...differences }, await found(hash));
    await mine();
    expect(await judged(right)).toMatchObject({ reason: 'UNCONFIRMED' });
    await finalise();
    expect(await judged(right)).toMatchObject({ match: { amount: '100.5' } });
    expect(await judged(right, { address: address(0xa2) })).toEqual({ reason: 'WRONG_ADDRESS' });
    expect(await judged(right, { custodianAssetId: evmAssetId('POLYGON', usdt.contract) })).toEqual({
      reason: 'WRONG_TOKEN',
    });
    expect(await judged(less)).toEqual({ reason: 'WRONG_AMOUNT' });
    expect(await judged(right, { senderAddress: other })).toEqual({ reason: 'WRONG_SENDER' });
  });

  test('a reverted transaction is FAILED when it is final, read from its call; any other call leaves nothing', async () => {
    const { send, mine, finalise, found, other, payer, usdc } = await chainOfTest();
    const sent = (data: string, to = usdc.contract) => send({ from: other, to, data });
    const hashes = [
      await sent(sampleToken.transfer(OURS, 7n)),
      await sent(sampleToken.transferFrom(payer, OURS, 7n)),
      await sent(sampleToken.payAll([usdc.contract], [OURS], 7n)),
      await sent(sampleToken.transfer(OURS, 7n), payer),
    ];
    await mine();
    expect(states(await found(hashes[0] ?? ''))).toEqual(['UNCONFIRMED']);
    await finalise();
    const all = await Promise.all(hashes.map((hash) => found(hash)));
    const facts = all.map((one) =>
      one.map(({ state, fromAddress, toAddress, amount }) => [state, fromAddress, toAddress, amount]),
    );
    expect(facts).toEqual([[['FAILED', other, OURS, '0.000007']], [['FAILED', payer, OURS, '0.000007']], [], []]);
  });

  test('what a reorganisation takes away is none, and GONE once the final block is past it', async () => {
    const { pay, mine, finalise, reorg, drop, found, custodian } = await chainOfTest();
    const hash = await pay(OURS, 5n);
    await mine();
    const [seen] = await found(hash);
    const again = () => custodian().findTransfer({ custodianTransferId: seen?.custodianTransferId ?? '', seen });
    expect(await again()).toEqual(seen);
    await reorg(1);
    await drop(hash);
    expect([await found(hash), await again()]).toEqual([[], undefined]);
    await finalise();
    expect(await again()).toEqual({ ...seen, state: 'GONE' });
  });

  test('of a transaction and the one that replaces it by a higher fee, only the one in the chain is there', async () => {
    const { pay, finalise, found } = await chainOfTest();
    const [first, second] = [await pay(OURS, 5n, { nonce: 2 }), await pay(OURS, 6n, { nonce: 2, fee: 9 })];
    await finalise();
    expect([await found(first), (await found(second)).map(({ amount }) => amount)]).toEqual([[], ['0.000006']]);
  });

  test('of a token that keeps a fee, what arrived counts', async () => {
    const { pay, finalise, found } = await chainOfTest({ feePercent: 10 });
    const hash = await pay(OURS, 100_000_000n);
    await finalise();
    expect((await found(hash)).map(({ amount }) => amount)).toEqual(['90']);
  });

  test('one transaction to 50 addresses in two tokens is 100 transfers; and one address twice is two', async () => {
    const { url, send, mine, finalise, found, custodian, payer, usdc, usdt } = await chainOfTest();
    const tokens = [usdc.contract, usdt.contract];
    const to = Array.from({ length: 50 }, (_, at) => address(0xb00 + at));
    for (const token of tokens)
      await send({ from: payer, to: token, data: sampleToken.approve(usdc.contract, 10n ** 30n) });
    await mine();
    const hash = await send({ from: payer, to: usdc.contract, data: sampleToken.payAll(tokens, to, 1n) });
    const twice = await send({ from: payer, to: usdc.contract, data: sampleToken.payAll(tokens, [OURS, OURS], 1n) });
    await finalise();
    const transfers = await found(hash);
    expect(new Set(transfers.map(({ custodianTransferId }) => custodianTransferId)).size).toBe(100);
    expect(new Set(transfers.map(({ amount }) => amount))).toEqual(new Set(['0.000001', '0.000000000000000001']));
    expect((await found(twice)).map(({ custodianTransferId }) => custodianTransferId.at(-1))).toEqual([
      '0',
      '1',
      '0',
      '1',
    ]);
    // A node that lists them in another order says the same.
    const reversed = await nodeLike(url, {
      result: ({ method }, said) =>
        /Receipt/.test(method) ? { ...Object(said), logs: Object(said).logs.toReversed() } : said,
    });
    expect(await found(hash, [reversed, url])).toEqual(transfers);
    // A scan finds the same ones, and no others.
    const scanned = await custodian({}, { awaited: to }).scan('POLYGON', 0);
    expect(new Set(scanned.transfers)).toEqual(new Set(transfers));
  });

  test('thousands of logs in one transaction hide none of ours', async () => {
    const { send, finalise, found, custodian, payer, usdc } = await chainOfTest();
    await send({ from: payer, to: usdc.contract, data: sampleToken.approve(usdc.contract, 10n ** 30n) });
    const crowd = Array.from({ length: 2_000 }, (_, at) => (at === 1_234 ? OURS : address(0xc0)));
    const hash = await send({
      from: payer,
      to: usdc.contract,
      data: sampleToken.payAll([usdc.contract], crowd, 1n),
      gas: 250_000_000,
    });
    await finalise();
    expect((await found(hash)).filter(({ toAddress }) => toAddress === OURS)).toHaveLength(1);
    const among = async (addresses: readonly string[]) => new Set(addresses.filter((one) => one === OURS));
    const { transfers } = await custodian({}, { among }).scan('POLYGON', 0);
    expect(transfers.map(({ txHash, toAddress, state }) => [txHash, toAddress, state])).toEqual([
      [hash, OURS, 'CONFIRMED'],
    ]);
  });

  test('decisions 12: a list has what came to us on each network, since a time, whether anybody reported it or not', async () => {
    const { url, pay, mine, rpc, finalise, custodian, settings } = await chainOfTest();
    const sent = async (value: bigint) => {
      const hash = await pay(OURS, value);
      await pay(address(0xa2), value);
      await rpc('evm_increaseTime', 3_600);
      await mine();
      return hash;
    };
    const [early, late, last] = [await sent(1n), await sent(2n), await sent(3n)];
    await finalise();
    // As if there were more blocks than one page reads, all of them later.
    const tall = await nodeLike(url, {
      result: ({ method, params: [about] }, said) => {
        if (method === 'eth_getLogs') return rpc(method, { ...Object(about), fromBlock: '0x0', toBlock: 'latest' });
        const number = about === 'latest' ? '0x4e40' : about;
        const isAbove = about === 'latest' || (said === null && /^0x/.test(String(about)));
        return isAbove ? { number, hash: `0x${'ee'.repeat(32)}`, timestamp: '0xffffffff' } : said;
      },
    });
    // The same chain as two networks.
    const one = custodian({ nodes: [tall] }, { awaited: [OURS] }, { BASE: settings });
    const createdAt = async (txHash: string) =>
      (await one.findTransfers({ network: 'BASE', txHash, since: '' }))[0]?.createdAt ?? '';
    const listed = async (createdSince: string, until: string) => {
      const pages = [await one.listTransfers({ createdSince, until })];
      for (let cursor = pages[0]?.cursor; cursor !== undefined; cursor = pages.at(-1)?.cursor) {
        pages.push(await one.listTransfers({ createdSince, until, cursor }));
      }
      return pages.map(({ transfers }) => transfers.map(({ network, txHash }) => [network, txHash]));
    };
    expect(await listed(await createdAt(late), await createdAt(last))).toEqual([
      [
        ['POLYGON', late],
        ['POLYGON', last],
      ],
      [],
      [
        ['BASE', late],
        ['BASE', last],
      ],
    ]);
    const all = (await listed('2020-01-01T00:00:00.000Z', await createdAt(late))).flat();
    expect(all.map(([, hash]) => hash)).toEqual([early, late, early, late]);
    expect((await listed('2100-01-01T00:00:00.000Z', '2100-01-02T00:00:00.000Z')).flat()).toEqual([]);
  });
});

test('decisions 12: amounts are exact, whatever the decimals', () => {
  for (const decimals of [0, 1, 6, 18]) {
    for (const value of [0n, 1n, 10n, 123_456_789n, 2n ** 256n - 1n]) {
      const text = decimalText(value, decimals);
      expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
      const [whole = '', fraction = ''] = text.split('.');
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(value);
    }
  }
  expect([smallestUnit('1.5', 6), smallestUnit('1.0000001', 6), smallestUnit('-1', 6)]).toEqual([
    1_500_000n,
    undefined,
    undefined,
  ]);
});
