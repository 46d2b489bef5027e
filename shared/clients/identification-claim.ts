import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ClientProfile } from './client-contract.ts';

type Identified = Pick<ClientProfile['person'], 'identificationNro' | 'verificateDigit'>;

/** Begins the key of the item that claims an identification number. */
const CLAIM = 'IDENTIFICATION#';

export const claim = z.object({ holder: z.string() });

/**
 * A number for comparison: without dots, spaces and hyphens, and without a check digit after a hyphen, a dash or a
 * space.
 */
export function comparedNumber({ identificationNro, verificateDigit }: Identified): string {
  const number = identificationNro.normalize('NFKC').trim();
  const before = number.slice(0, -String(verificateDigit).length);
  const isSetOff = number === `${before}${verificateDigit}` && /[\s\p{Pd}]$/u.test(before);
  return (isSetOff ? before : number).replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}

/** The item that prevents a second registration of this number. */
export function identificationClaim(person: Identified, holder: string) {
  return { clientId: `${CLAIM}${comparedNumber(person)}`, holder };
}

/** The client that is registered under this number. */
export function createFindIdentified(dynamo: DynamoDBDocumentClient, table: string) {
  return async (person: Identified): Promise<string | undefined> => {
    const { clientId } = identificationClaim(person, '');
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId }, ConsistentRead: true }));
    return Item && claim.parse(Item).holder;
  };
}
