import { expect, test } from 'vitest';
import { addSandboxUser, type Operator } from '#infra/cli/new-client.ts';
import { connect } from '#sdk/connect.ts';
import type { Network } from '#shared/networks/network.ts';
import { CLIENT, USER } from '#test/support/ids.ts';

/** Adds a user on a stage whose tokens are on these networks, and whose deposits are all simulated. */
async function added(networks: readonly Network[]) {
  const asked: string[] = [];
  const ops: Operator = async ([name = '', , network = '']) => {
    asked.push(`${name} ${network}`.trim());
    return { userId: USER, walletId: USER };
  };
  const tokens = [{ id: 1, token: 'USDT', networks: networks.map((network) => ({ network })) }];
  const fetch = async () => new Response(JSON.stringify(tokens), { headers: { 'Content-Type': 'application/json' } });
  const credentials = { clientId: CLIENT, clientSecret: 'secret' };
  const call = connect({ baseUrl: 'https://api.example', credentials, fetch });
  const user = await addSandboxUser(ops, { call, clientId: CLIENT, isSimulated: () => true });
  return { network: user?.network, asked };
}

// The sample's transactions have hashes of EVM networks and no tags: the sandbox refuses them on other networks.
test('the sample off-ramp is taken on an EVM network, and nowhere where there is none', async () => {
  expect(await added(['TRON', 'STELLAR', 'POLYGON'])).toEqual({
    network: 'POLYGON',
    asked: ['add-user', 'declare-wallet POLYGON'],
  });
  expect(await added(['TRON', 'STELLAR', 'SOLANA', 'SUI'])).toEqual({ network: undefined, asked: [] });
});
