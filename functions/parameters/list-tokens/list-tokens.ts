import type { listTokens as contract } from '#shared/parameters/parameters-contract.ts';
import type { SupportedToken } from '#shared/parameters/tokens.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

/** The active tokens in the order of their names. */
export function listTokens(tokens: () => Promise<readonly SupportedToken[]>): UseCase<typeof contract> {
  return async () => {
    const active = (await tokens()).filter((token) => token.active);
    const sorted = active.toSorted((one, other) => one.token.localeCompare(other.token, 'es'));
    return {
      body: sorted.map(({ tokenId, token, registerDate, logoBase64 }) => ({
        id: tokenId,
        token,
        status: true,
        ...(registerDate !== undefined && { registerDate }),
        ...(logoBase64 !== undefined && { logo_base64: logoBase64 }),
      })),
    };
  };
}
