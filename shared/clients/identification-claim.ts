import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ClientProfile } from './client-repository.ts';

type Identified = Pick<ClientProfile['person'], 'identificationNro' | 'verificateDigit'>;

/** In the place of a client's id: the item beside the clients that says whose an identification number is. */
const CLAIM = 'IDENTIFICATION#';

const claim = z.object({ holder: z.string() });

/**
 * A number as it is compared: without dots, spaces and hyphens, and without its check digit where a hyphen, a dash or a
 * space sets that off.
 */
export function comparedNumber({ identificationNro, verificateDigit }: Identified): string {
  const number = identificationNro.normalize('NFKC').trim();
  const before = number.slice(0, -String(verificateDigit).length);
  const isSetOff = number === `${before}${verificateDigit}` && /[\s\p{Pd}]$/u.test(before);
  return (isSetOff ? before : number).replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}

/** The item by which nobody else is registered under this number. */
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
