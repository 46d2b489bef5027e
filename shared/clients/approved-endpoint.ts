import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { type Authorise, endpoint } from '#shared/platform/http/endpoint.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { clientErrors } from './client-errors.ts';
import { createFindClient, type FindClient, hasCertificateOf } from './client-repository.ts';

type Schema = z.ZodMiniType;

/** Where the approval of a client is read, at each change. */
interface Approval {
  readonly dynamo: DynamoDBDocumentClient;
  readonly clientsTable: string;
}

/** For every change: the client has an access token and is approved at this moment (interface 5.4). */
export function approvedEndpoint<
  P extends Schema,
  B extends Schema,
  S extends Schema,
  Q extends Schema,
  O extends boolean,
>(
  contract: Contract<P, B, S, Q, 'approved-client', O>,
  { dynamo, clientsTable, clock }: Approval & { readonly clock: Clock },
  useCase: UseCase<Contract<P, B, S, Q, 'approved-client', O>>,
) {
  const authorise = approvedClients(createFindClient(dynamo, clientsTable));
  return endpoint(contract, { authorise, clock }, useCase);
}

/** Makes the first read of an approval while the function starts. */
export function warmUpApproval({ dynamo, clientsTable }: Approval): Promise<void> {
  return warmUp(createFindClient(dynamo, clientsTable)(NIL_UUID));
}

/** For every change (interface 5.4; decisions.md 1). */
export function approvedClients(findClient: FindClient): Authorise {
  return async (clientId, { certificateSubject }) => {
    const client = await findClient(clientId);
    if (client !== undefined && !hasCertificateOf(client, certificateSubject)) {
      const detail = 'The client certificate of this call does not belong to the client: use a declared one.';
      throw new ApiError(apiErrors.UNAUTHORIZED, { detail });
    }
    if (client?.complianceStatus !== 'approved' || client.status !== 'approved') {
      throw new ApiError(clientErrors.CLIENT_NOT_APPROVED);
    }
  };
}
