import { KMSClient } from '@aws-sdk/client-kms';
import { tokenIssuerSetting, verifyAuthorization } from '#shared/clients/access-token.ts';
import { awsClientOptions, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { createFetchPublicKey, type FetchPublicKey } from '#shared/platform/aws/kms.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { authorizeRequest } from './authorize-request.ts';

export function wire({ fetchPublicKey }: { readonly fetchPublicKey: FetchPublicKey }, clock: Clock) {
  const issuer = tokenIssuerSetting();
  return logEachCall(
    'authorize-request',
    clock,
    authorizeRequest(async (header) => verifyAuthorization(header, issuer, await fetchPublicKey(), clock.now())),
    ({ principalId }) => ({ clientId: principalId }),
  );
}

const fetchPublicKey = createFetchPublicKey(new KMSClient(awsClientOptions), tokenIssuerSetting().keyId);
await warmUp(fetchPublicKey());
export const handler = wire({ fetchPublicKey }, systemClock);
