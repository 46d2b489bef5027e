import {
  type APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { Unavailable } from '#shared/platform/retry.ts';

/**
 * Creates the key by which the usage plan of a stage counts a client's requests. Its value is the client's id, which is
 * not a secret: the authorizer gives it to API Gateway. Without the key, every call with a token is 403.
 *
 * @throws {Unavailable} when API Gateway creates none, such as above 10,000 keys of an account in a region
 */
export type CreateClientKey = (clientId: string) => Promise<void>;

/** Stands for a stage without a usage plan, whose clients are not limited and have no keys. */
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
    // An earlier try, whose answer was lost, has added it to the plan.
    if (!(error instanceof ConflictException)) throw error;
  }
}
