import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-values.ts';

/** Bytes of an item, with its attributes' names. */
export const LARGEST_ITEM = 400 * 1024;

/** Bytes that a query reads for one page, before any filter. */
export const LARGEST_PAGE = 1024 * 1024;

/** Bytes of all items of a transaction. */
export const LARGEST_TRANSACTION = 4 * 1024 * 1024;

/** Bytes of the items that one BatchGetItem answers. */
export const LARGEST_BATCH = 16 * 1024 * 1024;

/** No UTF-16 unit is longer in UTF-8. */
const MOST_BYTES_OF_A_UNIT = 3;

/** Bytes, as DynamoDB counts them. */
export function sizeOf(item: Item): number {
  let total = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) total += Buffer.byteLength(name) + sizeOfValue(value);
  }
  return total;
}

export function isLargerThan(limit: number, item: Item): boolean {
  return upperSize(item) > limit && sizeOf(item) > limit;
}

/** Adds items up while they are not larger than the limit together; counts bytes only where that is in doubt. */
export function createAllowance(limit: number): { takes(item: Item): boolean } {
  const taken: Item[] = [];
  let upper = 0;
  let bytes: number | undefined;
  return {
    takes(item) {
      upper += upperSize(item);
      if (upper > limit) {
        bytes ??= taken.reduce((total, one) => total + sizeOf(one), 0);
        bytes += sizeOf(item);
        if (bytes > limit) return false;
      }
      taken.push(item);
      return true;
    },
  };
}

export function isLongerThan(limit: number, text: string): boolean {
  return text.length * MOST_BYTES_OF_A_UNIT > limit && Buffer.byteLength(text) > limit;
}

/** Not less than the size, and found much faster. */
function upperSize(item: Readonly<Record<string, AttributeValue>>): number {
  let total = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) total += name.length * MOST_BYTES_OF_A_UNIT + upperSizeOfValue(value);
  }
  return total;
}

function upperSizeOfValue({ S, N, M, L, SS, B }: AttributeValue): number {
  const text = S ?? N;
  if (text !== undefined) return text.length * MOST_BYTES_OF_A_UNIT + 2;
  if (M !== undefined) return 3 + Object.keys(M).length + upperSize(M);
  if (L !== undefined) return L.reduce((total, one) => total + 1 + upperSizeOfValue(one), 3);
  if (SS !== undefined) return SS.reduce((total, one) => total + one.length * MOST_BYTES_OF_A_UNIT, 0);
  return B?.byteLength ?? 1;
}

/** A number takes a byte for two digits, one more, and one for a minus. Lists and maps take three, and one for each member. */
function sizeOfValue({ S, N, M, L, SS, B }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return sizeOfNumber(N);
  if (M !== undefined) return 3 + Object.keys(M).length + sizeOf(M);
  if (L !== undefined) return L.reduce((total, one) => total + 1 + sizeOfValue(one), 3);
  if (SS !== undefined) return SS.reduce((total, one) => total + Buffer.byteLength(one), 0);
  return B?.byteLength ?? 1;
}

function sizeOfNumber(text: string): number {
  const digits = text.replace('-', '').replace(/^0+|\.|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + Number(text.startsWith('-'));
}
