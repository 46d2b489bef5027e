import { KMSClient } from '@aws-sdk/client-kms';
import { verifyAuthorization } from '#shared/http/access-token.ts';
import { fetchPublicKey } from '#shared/kms/public-key.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { tokenIssuerSetting } from '#shared/runtime/token-issuer.ts';
import { authorizeRequest } from './authorize-request.ts';

const issuer = tokenIssuerSetting();
const publicKey = await fetchPublicKey(new KMSClient(awsClientOptions), issuer.keyId);

export const handler = eachCall(
  'authorize-request',
  authorizeRequest((header) => verifyAuthorization(header, issuer, publicKey)),
  ({ principalId }) => ({ clientId: principalId }),
);
