import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createReadFireblocks } from '#infra/cli/providers/fireblocks-catalogue.ts';
import { startProviders } from '#infra/local/providers.ts';
import { localSecrets } from '#infra/stage/local-providers.ts';
import { networks as everyNetwork } from '#shared/networks/network.ts';
import { textOf } from '#test/support/markdown.ts';

const user = z.object({ apiKey: z.string(), privateKeyPem: z.string() });

test('the double of `npm start -- --custodian fireblocks` makes tags on STELLAR, and the guide names the networks that it leaves out', async () => {
  const { settings, secrets, stop } = await startProviders({ custodian: {} }, 1);
  const { networks, server, stellarVault } = settings.fireblocks ?? expect.fail();
  const read = createReadFireblocks(user.parse(JSON.parse(secrets[localSecrets.FIREBLOCKS_READER] ?? '')), server);
  const path = `/v1/vault/accounts/${stellarVault}/${networks.STELLAR?.baseAsset}/addresses_paginated`;
  expect(await read(path).finally(stop)).toMatchObject({ body: { addresses: [{ tag: expect.any(String) }] } });
  const simulated = everyNetwork.filter((one) => networks[one] === undefined);
  expect(textOf('docs/local-run.md')).toContain(simulated.join(', ').replace(/, (\w+)$/, ' and $1 stay simulated'));
});
