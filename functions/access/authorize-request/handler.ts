import { KMSClient } from '@aws-sdk/client-kms';
import { verifyAuthorization } from '#shared/http/access-token.ts';
import { createFetchPublicKey, type FetchPublicKey } from '#shared/kms/public-key.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { primed } from '#shared/runtime/primed.ts';
import { tokenIssuerSetting } from '#shared/runtime/token-issuer.ts';
import { authorizeRequest } from './authorize-request.ts';

export function wire({ fetchPublicKey }: { readonly fetchPublicKey: FetchPublicKey }, clock: Clock) {
  const issuer = tokenIssuerSetting();
  return eachCall(
    'authorize-request',
    clock,
    authorizeRequest(async (header) => verifyAuthorization(header, issuer, await fetchPublicKey(), clock.now())),
    ({ principalId }) => ({ clientId: principalId }),
  );
}

const fetchPublicKey = createFetchPublicKey(new KMSClient(awsClientOptions), tokenIssuerSetting().keyId);
await primed(fetchPublicKey());
export const handler = wire({ fetchPublicKey }, systemClock);
