import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { type Authorise, endpoint } from '#shared/platform/http/endpoint.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { clientErrors } from './client-errors.ts';
import { createFindClient, type FindClient, hasCertificateOf, isApproved } from './client-repository.ts';

type Schema = z.ZodMiniType;

/** The endpoint of a change: the client needs an access token and is approved at this moment (interface 5.4). */
export function approvedEndpoint<
  P extends Schema,
  B extends Schema,
  S extends Schema,
  Q extends Schema,
  O extends boolean,
>(
  contract: Contract<P, B, S, Q, 'approved-client', O>,
  {
    dynamo,
    clientsTable,
    clock,
  }: { readonly dynamo: DynamoDBDocumentClient; readonly clientsTable: string; readonly clock: Clock },
  useCase: UseCase<Contract<P, B, S, Q, 'approved-client', O>>,
) {
  const authorise = createAuthoriseApproved(createFindClient(dynamo, clientsTable));
  return endpoint(contract, { authorise, clock }, useCase);
}

/** Makes the first read of an approval while the function starts. */
export function warmUpApproval(): Promise<void> {
  return warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
}

/** Refuses a client that is not approved, or calls without its certificate (interface 5.4; decisions.md 1). */
export function createAuthoriseApproved(findClient: FindClient): Authorise {
  return async (clientId, { certificateSubject }) => {
    const client = await findClient(clientId);
    if (client !== undefined && !hasCertificateOf(client, certificateSubject)) {
      const detail = 'The client certificate of this call does not belong to the client: use a declared one.';
      throw new ApiError(apiErrors.UNAUTHORIZED, { detail });
    }
    if (!isApproved(client)) throw new ApiError(clientErrors.CLIENT_NOT_APPROVED);
  };
}
