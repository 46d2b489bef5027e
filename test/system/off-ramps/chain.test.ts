import { expect, inject, test } from 'vitest';
import { createChainClient } from '#infra/local/chain/chain-client.ts';
import { sampleAccountKey } from '#infra/local/chain/local-chains.ts';
import { sampleToken, smallestUnit } from '#infra/local/chain/sample-token.ts';
import type { Network } from '#shared/networks/network.ts';
import { createDeriveAddress } from '#shared/off-ramps/custodians/evm/derive-addresses.ts';
import { describeOnChain } from '#test/support/chain.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, newHash, OffRampUser, problemOf } from '#test/support/http-client.ts';

/** A user whose wallet has the token of a real chain, from which the service reads the network. */
function userOn(network: Network) {
  const user = new OffRampUser(network);
  const chain = inject('outputs').chain?.[network];
  if (chain === undefined) throw new Error(`There is no chain of ${network}.`);
  const client = createChainClient(chain.rpcUrl);
  const send = (to: string, amount: string, { from = chain.fundedAccount, fee = 5 } = {}) => {
    const value = smallestUnit(amount, chain.decimals) ?? 0n;
    return client.send({ from, fee, to: chain.token, data: sampleToken.transfer(to, value) });
  };
  /** Reports a transaction; returns why it is not verified, and its failed checks, once it is confirmed. */
  const failing = async (operationId: string, txHash: string, untilFinal = true) => {
    await user.submit(operationId, txHash);
    const { verification } = await user.readUntil(operationId, (hash) => {
      const checks = hash.verification?.checks?.filter(
        ({ check, passed }) => !(untilFinal && check === 'CONFIRMATIONS') || passed,
      );
      return hash.verification?.reason === 'WRONG_ADDRESS' || (checks !== undefined && checks.length === CHECKS);
    });
    return [verification?.reason, failed({ verification })];
  };
  return { user, client, send, failing };
}

/** Address, token, amount, sender and confirmations. */
const CHECKS = 5;

const failed = ({ verification }: Pick<Awaited<ReturnType<OffRampUser['read']>>, 'verification'>) =>
  verification?.checks?.flatMap(({ check, passed }) => (passed ? [] : check)) ?? [];

describeOnChain('decisions 12: an off-ramp on a real chain', () => {
  test('has a derived address, and is paid out by the data of the chain, without a report or a notification', async () => {
    const { user, send } = userOn('AVALANCHE');
    const { id, address } = await user.create('250.5');
    expect(address).toBe(createDeriveAddress(sampleAccountKey)(id).address);
    const txHash = await send(address, '250.5');
    const verified = await user.readUntil(id, ({ operationStatus }) => operationStatus === 'COMPLETED');
    expect(verified).toMatchObject({ status: 'VERIFIED', txHash: null, verifiedTxHash: txHash });
    expect(failed(verified)).toEqual([]);
  });

  test('interface 2.6: the right address, the exact amount and the declared sender each fail alone', async () => {
    const { user, client, send, failing } = userOn('AVALANCHE');
    const [, stranger = ''] = await client.accounts();
    await send(stranger, '250.5');
    const [less, sender, to, other] = await Promise.all([1, 2, 3, 4].map(() => user.create('250.5')));
    if (!less || !sender || !to || !other) throw new Error('The operations are incomplete.');
    const blocks = await client.blockNumber();
    await eventually(client.blockNumber, (number) => number > blocks);
    expect(
      await Promise.all([
        failing(less.id, await send(less.address, '250.499999')),
        failing(sender.id, await send(sender.address, '250.5', { from: stranger })),
        failing(to.id, await send(other.address, '250.5')),
      ]),
    ).toEqual([
      ['WRONG_AMOUNT', ['AMOUNT']],
      ['WRONG_SENDER', ['SENDER']],
      // The transfer went to another operation's address, so there are no checks.
      ['WRONG_ADDRESS', []],
    ]);
  });

  test('interface 2.6: before finality only the confirmation fails; a deposit that a reorganisation removes is never credited, and the next one is', async () => {
    const { user, client, send, failing } = userOn('ARBITRUM');
    await client.rpc('evm_setIntervalMining', 0);
    const { id, address } = await user.create('250.5');
    const taken = await send(address, '250.5');
    await client.mine();
    expect(await failing(id, taken, false)).toEqual(['UNCONFIRMED', ['CONFIRMATIONS']]);
    await client.reorg(1);
    await client.drop(taken);
    const right = await send(address, '250.5', { fee: 6 });
    expect(right).not.toBe(taken);
    await client.mine(9);
    const verified = await user.readUntil(id, ({ status }) => status === 'VERIFIED');
    expect(verified.verifiedTxHash).toBe(right);
  });

  test('a deposit on it cannot be simulated: 422 says why', async () => {
    const { user } = userOn('AVALANCHE');
    const { address } = await user.create();
    const facts = { network: 'AVALANCHE', txHash: newHash(), fromAddress: user.wallet.address, toAddress: address };
    const body = { ...facts, token: 'USDC', amount: '250.5', state: 'CONFIRMED' };
    const answer = await callAs(user.client, 'POST', '/api/sandbox/deposits', body);
    expect(problemOf(answer)).toMatchObject({ status: 422, errors: [{ path: 'body.network', code: 'NOT_SIMULATED' }] });
  });
});
