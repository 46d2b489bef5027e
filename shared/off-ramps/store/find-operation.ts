import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { networks, parseAddress } from '#shared/networks/network.ts';
import { operationOf } from '#shared/off-ramps/model/deposit.ts';
import { id } from '#shared/platform/http/fields.ts';
import { findAssignmentOf } from './address-owners.ts';
import { findClaimant } from './claims.ts';
import type { ListDepositsOfHash } from './deposit-lists.ts';
import type { ListedOffRamps, OffRampState, OffRamps } from './off-ramp-repository.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly hashes: string;
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly ofUser: Pick<ListedOffRamps, 'idsOfUser'>;
  readonly listDepositsOfHash: ListDepositsOfHash;
  readonly listByReference: (reference: string) => Promise<readonly { readonly operationId: string }[]>;
}

/** Finds an off-ramp by any of its identifiers; of several with one reference, the newest. */
export function createFindOperation(deps: Dependencies) {
  const { dynamo, hashes, operations, ofUser, listDepositsOfHash, listByReference } = deps;

  /** Finds the operation that a hash funds, else the one whose address it paid, else the one that declares it. */
  const byHash = async (txHash: string) =>
    (await findClaimant(dynamo, hashes, 'FUNDED', txHash)) ??
    (await listDepositsOfHash(txHash)).deposits.map(operationOf).find((operationId) => operationId !== undefined) ??
    (await findClaimant(dynamo, hashes, 'DECLARED', txHash));

  async function ofReference(userId: string, externalReference: string): Promise<OffRampState | undefined> {
    for await (const operationId of ofUser.idsOfUser({ userId, externalReference }, undefined)) {
      const found = await operations.findWithVerification(operationId);
      if (found?.operation.externalReference === externalReference) return found;
    }
    return undefined;
  }

  async function idOf(text: string): Promise<string | undefined> {
    for (const hash of new Set([text, text.toLowerCase()])) {
      const found = await byHash(hash);
      if (found !== undefined) return found;
    }
    return (await byAddress(text)) ?? (await listByReference(text))[0]?.operationId;
  }

  async function byAddress(text: string): Promise<string | undefined> {
    const [address = '', tag] = text.split('#');
    for (const network of networks) {
      const normal = parseAddress(network, address);
      if (normal === undefined) continue;
      return (await findAssignmentOf(dynamo, hashes, normal.address, tag ?? normal.tag))?.operationId;
    }
    return undefined;
  }

  return async (text: string, userId: string | undefined): Promise<OffRampState | undefined> => {
    const asId = userId === undefined ? id.safeParse(text).data : undefined;
    const byId = asId === undefined ? undefined : await operations.findWithVerification(asId);
    // A text in the form of an id may also be a reference, so continue if no operation has this id.
    if (byId !== undefined) return byId;
    if (userId !== undefined) return await ofReference(userId, text);
    const operationId = await idOf(text);
    return operationId === undefined ? undefined : await operations.findWithVerification(operationId);
  };
}

export type FindOperation = ReturnType<typeof createFindOperation>;
