import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { signAccessToken, tokenIssuerSetting } from '#shared/clients/access-token.ts';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createTakeToken } from '#shared/clients/token-limit.ts';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { createSignEs256 } from '#shared/platform/aws/kms.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { issueToken } from './issue-token.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock, newId: () => string) {
  const env = environment({ clientsTable: 'CLIENTS_TABLE', allowancesTable: 'ALLOWANCES_TABLE' });
  const issuer = tokenIssuerSetting();
  const sign = createSignEs256(kms, issuer.keyId);
  return publicEndpoint(
    issueTokenContract,
    clock,
    issueToken({
      findClient: createFindClient(dynamo, env.clientsTable),
      takeToken: createTakeToken(dynamo, env.allowancesTable, clock),
      sign: (clientId, tokenId) => signAccessToken(issuer, clientId, clock.now(), tokenId, sign),
      clock,
      newId,
    }),
  );
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock, randomUUID);
