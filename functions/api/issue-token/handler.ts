import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { issueToken as contract } from '#shared/contracts/token.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { signAccessToken } from '#shared/http/access-token.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { es256Signer } from '#shared/kms/sign-es256.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { tokenIssuerSetting } from '#shared/runtime/token-issuer.ts';
import { issueToken } from './issue-token.ts';

const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
const issuer = tokenIssuerSetting();
const sign = es256Signer(new KMSClient(awsClientOptions), issuer.keyId);
await primed(findClient(NOBODY));

export const handler = publicEndpoint(
  contract,
  issueToken({
    findClient,
    sign: (clientId, tokenId) => signAccessToken(issuer, clientId, new Date(), tokenId, sign),
    newId: randomUUID,
  }),
);
