import {
  type APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { Unavailable } from '#shared/platform/unavailable.ts';

/**
 * Makes the key by which the usage plan of a stage counts what a client asks for. Its value is the client's id, which is
 * no secret: the authorizer gives it to API Gateway. Without it every call with a token is 403.
 *
 * @throws {Unavailable} when API Gateway makes none, such as above 10,000 keys of an account in a region
 */
export type CreateClientKey = (clientId: string) => Promise<void>;

/** The usage plan of a stage in which clients are not limited, and have no keys. */
export const NO_USAGE_PLAN = 'none';

export function createClientKeys(apiGateway: APIGatewayClient, usagePlanId: string): CreateClientKey {
  return async (clientId) => {
    if (usagePlanId === NO_USAGE_PLAN) return;
    try {
      const { id } = await apiGateway.send(new CreateApiKeyCommand({ name: clientId, value: clientId, enabled: true }));
      await addTo(apiGateway, usagePlanId, id);
    } catch (error) {
      throw new Unavailable('API Gateway created no key for the client.', { cause: error });
    }
  };
}

async function addTo(apiGateway: APIGatewayClient, usagePlanId: string, keyId: string | undefined): Promise<void> {
  try {
    await apiGateway.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyType: 'API_KEY', keyId }));
  } catch (error) {
    // It is in the plan since a try whose answer was lost.
    if (!(error instanceof ConflictException)) throw error;
  }
}
