import { expect, test } from 'vitest';
import { sampleToken, smallestUnit } from '#infra/local/chain/sample-token.ts';
import { type CustodianTransfer, custodianTransfer, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import { decimalText } from '#shared/off-ramps/custodians/evm/read-logs.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { judgeDeposit } from '#shared/off-ramps/model/deposit-match.ts';
import { address, chainOfTest, describeOnChain, nodeLike, ownsOnly, scanned } from '#test/support/chain.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const OURS = address(0xa1);
const states = (transfers: readonly CustodianTransfer[]) => transfers.map(({ state }) => state);

/** A node whose transactions are all reverted calls of another contract. */
const revertingNode = (url: string) =>
  nodeLike(url, {
    result: ({ method }, said) =>
      /Receipt/.test(method)
        ? { ...Object(said), status: '0x0', logs: [] }
        : /ByHash/.test(method)
          ? { ...Object(said), to: address(0xdd) }
          : said,
  });

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
      assetId: usdc.custodianAssetId,
      amount: '100.5',
      confirmations: 9,
      block: 3,
      movementIndex: `${usdc.contract}:${OURS}:0`,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test('decisions 9, sending by hand: what left in a transaction is each of its transfers, final when the nodes agree, not only those to us', async () => {
    const { send, mine, finalise, custodian, url, payer, usdc } = await chainOfTest();
    const { findOutgoing } = custodian({}, [url]);
    const txHash = await send({
      from: payer,
      to: usdc.contract,
      data: sampleToken.transfer(address(0xee), 1_500_000n),
    });
    const left = () => findOutgoing({ network: 'POLYGON', txHash, since: '' });
    expect(await left()).toEqual([]);
    await mine();
    const moved = { from: payer, toAddress: address(0xee), assetId: usdc.custodianAssetId, amount: '1.5', txHash };
    expect(await left()).toMatchObject([{ ...moved, state: 'UNCONFIRMED' }]);
    await finalise();
    expect(await left()).toMatchObject([{ ...moved, state: 'CONFIRMED' }]);
  });

  test('decisions 9, sending by hand: what left and is in the final chain no more is GONE, its transaction is nowhere or was reverted', async () => {
    const { url, send, mine, finalise, custodian, payer, usdc } = await chainOfTest();
    const data = sampleToken.transfer(address(0xee), 1_500_000n);
    const txHash = await send({ from: payer, to: usdc.contract, data });
    await mine();
    await finalise();
    const asked = (node: string, seen?: OutgoingTransfer) =>
      custodian({}, [node]).findOutgoing({ network: 'POLYGON', txHash, since: '', seen });
    const [left] = await asked(url);
    if (left === undefined) throw new Error('Nothing was found.');
    const unknown = await nodeLike(url, {
      result: ({ method }, said) => (/Transaction/.test(method) ? null : said),
    });
    expect(await asked(unknown)).toEqual([]);
    await expect(asked(unknown, left)).rejects.toThrow(`The nodes of POLYGON no longer find ${txHash}`);
    const gone = await nodeLike(url, {
      result: ({ method }, said) =>
        /Transaction/.test(method) ? null : /Block/.test(method) ? { ...Object(said), transactions: [] } : said,
    });
    expect(await asked(gone, left)).toEqual([{ ...left, state: 'GONE' }]);
    expect(await asked(gone, { ...left, block: 10_000 })).toEqual([]);
    const reverted = await revertingNode(url);
    expect(await asked(reverted, left)).toEqual([{ ...left, state: 'GONE' }]);
  });

  test('a transfer of a token that the settings no longer list is unknown, and somebody is told', async () => {
    const { pay, mine, finalise, found, custodian, usdc, usdt } = await chainOfTest();
    const hash = await pay(OURS, 5n);
    await mine();
    await finalise();
    const [seen] = await found(hash);
    if (seen === undefined) throw new Error('Nothing was found.');
    const { custodianTransferId } = seen;
    const asked = custodian({ tokens: [usdt] }).findTransfer({ custodianTransferId, seen });
    await expect(asked).rejects.toBeInstanceOf(NotServed);
    await expect(asked).rejects.toThrow(`The settings of POLYGON list no contract ${usdc.contract}.`);
  });

  test('the four checks: confirmed, the right address, the exact amount, the declared sender; each fails alone', async () => {
    const { pay, mine, finalise, found, payer, other, usdc, usdt } = await chainOfTest();
    const [right, less] = [await pay(OURS, 100_500_000n), await pay(OURS, 100_499_999n)];
    const expected = {
      network: 'POLYGON',
      address: OURS,
      custodianAssetId: usdc.custodianAssetId,
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
    expect(await judged(right, { custodianAssetId: usdt.custodianAssetId })).toEqual({
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

  test('a transfer whose transaction was final in another way is GONE, and unavailable while a node lacks the block', async () => {
    const { url, pay, mine, finalise, found, custodian } = await chainOfTest();
    const hash = await pay(OURS, 5n);
    await mine();
    const [seen] = await found(hash);
    if (seen === undefined) throw new Error('Nothing was found.');
    await finalise();
    const asked = (nodes: string[]) =>
      custodian({}, nodes).findTransfer({ custodianTransferId: seen.custodianTransferId, seen });
    const reverted = await revertingNode(url);
    expect(await asked([reverted])).toEqual({ ...seen, state: 'GONE' });
    const pruned = await nodeLike(url, {
      result: ({ method, params: [about] }, said) => (/Transaction/.test(method) || about === '0x3' ? null : said),
    });
    await expect(asked([pruned])).rejects.toThrow('Node 1 of POLYGON lacks the block 3.');
  });

  test('transfers of zero, which anybody can send in any number, are found by their hash only', async () => {
    const { url, pay, finalise, found, custodian } = await chainOfTest();
    const [nothing, something] = [await pay(OURS, 0n), await pay(OURS, 1n)];
    await finalise();
    expect((await found(nothing)).map(({ amount }) => amount)).toEqual(['0']);
    expect((await scanned(custodian({}, [url], ownsOnly(OURS)))).transfers.map(({ txHash }) => txHash)).toEqual([
      something,
    ]);
  });

  test('of a transaction and the one that replaces it by a higher fee, only the one in the chain is there', async () => {
    const { pay, finalise, found } = await chainOfTest();
    const [first, second] = [await pay(OURS, 5n, { nonce: 2 }), await pay(OURS, 6n, { nonce: 2, fee: 9 })];
    await finalise();
    expect([await found(first), (await found(second)).map(({ amount }) => amount)]).toEqual([[], ['0.000006']]);
  });

  test('of a token that keeps a fee, the amount that arrived counts', async () => {
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
    // A node that lists the logs in another order gives the same transfers.
    const reversed = await nodeLike(url, {
      result: ({ method }, said) =>
        /Receipt/.test(method) ? { ...Object(said), logs: Object(said).logs.toReversed() } : said,
    });
    expect(await found(hash, [reversed, url])).toEqual(transfers);
    // A scan finds the same transfers, and no others.
    expect(new Set((await scanned(custodian({}, [url], ownsOnly(...to)))).transfers)).toEqual(new Set(transfers));
  });

  test('thousands of logs in one transaction hide none of ours', async () => {
    const { url, send, finalise, custodian, payer, usdc } = await chainOfTest();
    await send({ from: payer, to: usdc.contract, data: sampleToken.approve(usdc.contract, 10n ** 30n) });
    const crowd = Array.from({ length: 2_000 }, (_, at) => (at === 1_234 ? OURS : address(0xc0)));
    const hash = await send({
      from: payer,
      to: usdc.contract,
      data: sampleToken.payAll([usdc.contract], crowd, 1n),
      gas: 250_000_000,
    });
    await finalise();
    const one = custodian({}, [url], ownsOnly(OURS));
    const read = await one.findTransfers({ network: 'POLYGON', txHash: hash, since: '' });
    for (const transfers of [read, (await scanned(one)).transfers]) {
      expect(transfers.map(({ txHash, toAddress, state }) => [txHash, toAddress, state])).toEqual([
        [hash, OURS, 'CONFIRMED'],
      ]);
    }
  });

  test('decisions 12: without a cursor, a scan has what came to us since a day ago, when it is new and when it is final', async () => {
    const { url, pay, mine, rpc, finalise, custodian } = await chainOfTest();
    const [early] = [await pay(OURS, 1n), await mine()];
    await rpc('evm_increaseTime', 25 * 3_600);
    const late = await pay(OURS, 2n);
    await pay(address(0xa2), 3n);
    await mine();
    const tomorrow = fakeClock(new Date(Date.now() + 25 * 3_600_000).toISOString());
    const one = custodian({}, [url], ownsOnly(OURS), tomorrow);
    // The first part only finds the block to begin at.
    const start = await one.scanTransfers({ network: 'POLYGON' });
    const first = await one.scanTransfers({ network: 'POLYGON', cursor: start.cursor });
    const facts = (transfers: readonly CustodianTransfer[]) => transfers.map(({ txHash, state }) => [txHash, state]);
    expect([facts(first.transfers), early]).toEqual([[[late, 'UNCONFIRMED']], expect.any(String)]);
    expect((await scanned(one, 'POLYGON', first.cursor)).transfers).toEqual([]);
    await finalise();
    expect(facts((await scanned(one, 'POLYGON', first.cursor)).transfers)).toEqual([[late, 'CONFIRMED']]);
  });
});

test('decisions 12: amounts are exact, whatever the decimals', () => {
  const most = 2n ** 256n - 1n;
  expect([decimalText(most, 0), decimalText(most, 18).replace('.', '')]).toEqual([`${most}`, `${most}`]);
  expect([smallestUnit('1.5', 6), smallestUnit('1.0000001', 6), smallestUnit('-1', 6)]).toEqual([
    1_500_000n,
    undefined,
    undefined,
  ]);
});
