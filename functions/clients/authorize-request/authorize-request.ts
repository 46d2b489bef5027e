import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { verifyAuthorization } from '#shared/clients/access-token.ts';
import { describe, log } from '#shared/platform/logger.ts';

type Verify = (header: string) => ReturnType<typeof verifyAuthorization>;

const tokenEvent = z.object({ authorizationToken: z.string(), methodArn: z.string() });

/**
 * Accepts a valid access token and returns its client and its expiry. The policy covers every route of the stage,
 * because API Gateway caches it by the token alone.
 *
 * @throws Error('Unauthorized'), the only text that API Gateway turns into a 401.
 */
export function authorizeRequest(verify: Verify) {
  return async (event: unknown): Promise<APIGatewayAuthorizerResult> => {
    const { authorizationToken, methodArn } = tokenEvent.parse(event);
    const token = await verified(verify, authorizationToken);
    if (token === undefined) throw new Error('Unauthorized');
    const [api = '', stage = ''] = methodArn.split('/');
    return {
      principalId: token.clientId,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${api}/${stage}/*` }],
      },
      context: { clientId: token.clientId, exp: token.expiresAtSeconds },
      // The value of the client's API key, by which the usage plan counts.
      usageIdentifierKey: token.clientId,
    };
  };
}

/** A rejected token is thrown as an error, too, so other errors need their own code for the alarm. */
async function verified(verify: Verify, authorizationToken: string) {
  try {
    return await verify(authorizationToken);
  } catch (error) {
    log.error('AUTHORIZER_FAILED', { cause: describe(error) });
    throw error;
  }
}
