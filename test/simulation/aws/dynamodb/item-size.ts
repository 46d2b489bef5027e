import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-values.ts';

/** The largest item, in bytes, including its attributes' names. */
export const LARGEST_ITEM = 400 * 1024;

/** Bytes that a query reads per page, before any filter. */
export const LARGEST_PAGE = 1024 * 1024;

/** The largest sum of a transaction's items, in bytes. */
export const LARGEST_TRANSACTION = 4 * 1024 * 1024;

/** The largest sum of the items in one BatchGetItem answer, in bytes. */
export const LARGEST_BATCH = 16 * 1024 * 1024;

/** The most UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES_OF_A_UNIT = 3;

/** Returns the size in bytes, as DynamoDB counts it. */
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

/** Accepts items while their sum is within the limit; counts exact bytes only near the limit. */
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

/** Returns an upper bound of the size, much faster than the exact size. */
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

/** A number takes a byte per two digits, one more, and one for a minus; lists and maps three, and one per member. */
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
