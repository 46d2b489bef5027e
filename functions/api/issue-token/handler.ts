import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { issueToken as contract } from '#shared/contracts/token.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { signAccessToken } from '#shared/http/access-token.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { es256Signer } from '#shared/kms/sign-es256.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { tokenIssuerSetting } from '#shared/runtime/token-issuer.ts';
import { issueToken } from './issue-token.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock, newId: () => string) {
  const issuer = tokenIssuerSetting();
  const sign = es256Signer(kms, issuer.keyId);
  return publicEndpoint(
    contract,
    clock,
    issueToken({
      findClient: clientsIn(dynamo, setting('CLIENTS_TABLE')),
      sign: (clientId, tokenId) => signAccessToken(issuer, clientId, clock.now(), tokenId, sign),
      newId,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock, randomUUID);
