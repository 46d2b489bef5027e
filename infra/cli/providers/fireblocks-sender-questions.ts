import * as z from 'zod/mini';
import type { Settings } from '#infra/stage/settings.ts';
import { networks } from '#shared/networks/network.ts';
import { agreement, difference, ErrorAnswer, type Finding, type ManualCheck, type Question } from './finding.ts';
import type { ReadFireblocks } from './fireblocks-catalogue.ts';
import { statusOf } from './fireblocks-questions.ts';

const vault = z.object({ assets: z.array(z.object({ id: z.string() })) });

/** Questions as the sender that send nothing; none where the service never sends. */
export function senderQuestions(read: ReadFireblocks, { fireblocks, returns }: Settings): readonly Question[] {
  const vaults = networks.flatMap((name): readonly Question[] => {
    const [route, held] = [returns?.[name], fireblocks?.networks[name]];
    if (route === undefined || route.byHand || held === undefined) return [];
    const request = `GET /v1/vault/accounts/${route.from}`;
    return [
      {
        about: `vault ${route.from}, from which ${name} returns`,
        request,
        ask: async (): Promise<Finding> => {
          const own = vault.parse((await read(request.slice('GET '.length))).body).assets.map(({ id }) => id);
          const lacking = [held.baseAsset, ...Object.values(held.assets)].filter((one) => !own.includes(one));
          return lacking.length === 0
            ? agreement('it has the wallets of its tokens and of the coin for fees')
            : difference(`it has no wallet of ${lacking.join(', ')}`);
        },
      },
    ];
  });
  if (vaults.length === 0) return [];
  return [
    {
      about: 'the key of the sender',
      request: 'GET /v1/transactions?limit=1',
      ask: async () => {
        await read('/v1/transactions?limit=1');
        return agreement('its signature is accepted');
      },
    },
    {
      about: 'the role of the sender',
      request: 'GET /v1/supported_assets',
      ask: async () => {
        const status = await statusOf(read, '/v1/supported_assets');
        if (status !== '200' && status !== '403') throw new ErrorAnswer(Number(status), '');
        return status === '200'
          ? agreement('no Viewer; whether a Signer, and within which Policy, the console shows')
          : difference('a Viewer, who cannot order anything');
      },
    },
    ...vaults,
  ];
}

/** Checks that send. */
export const senderManualChecks: readonly ManualCheck[] = [
  {
    about: 'a repeated order',
    request: 'POST /v1/transactions twice with one externalTxId: 400 with code 1438; how soon it is found by that id',
  },
  {
    about: 'the Policy',
    request: 'POST /v1/transactions from another vault, and above the limit: BLOCKED, each time',
  },
];
