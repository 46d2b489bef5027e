import type * as z from 'zod/mini';
import { networks } from '#shared/networks/network.ts';
import { type listTokensContract, tokenAnswer } from '#shared/parameters/parameter-contract.ts';
import type { SupportedToken } from '#shared/parameters/parameter-lists.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

type TokenAnswer = z.infer<typeof tokenAnswer>;

/** The active tokens in the order of their names. */
export function listTokens(tokens: () => Promise<readonly SupportedToken[]>): UseCase<typeof listTokensContract> {
  return async ({ query }) => {
    query();
    const active = (await tokens()).filter((token) => token.active);
    const sorted = active.toSorted((one, other) => one.token.localeCompare(other.token, 'es'));
    return { body: sorted.map(describe) };
  };
}

function describe(token: SupportedToken): TokenAnswer {
  const { tokenId, logoBase64 } = token;
  const assets = networks.flatMap((network) => {
    const asset = token.networks[network];
    return asset === undefined ? [] : [{ network, ...asset }];
  });
  return tokenAnswer.parse({
    ...token,
    id: tokenId,
    status: true,
    networks: assets,
    ...(logoBase64 !== undefined && { logo_base64: logoBase64 }),
  } satisfies TokenAnswer);
}
