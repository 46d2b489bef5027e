import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';

type Item = Record<string, AttributeValue>;

/** Numbers with at most this many characters are read without loss. */
const EXACT_CHARACTERS = 15;

/**
 * Returns the item that the document client writes for a record. Converts frequent types itself, because every request
 * comes here, and leaves the rest to the SDK.
 */
export function asItem(record: Record<string, unknown>): Item {
  const item: Item = {};
  for (const name in record) {
    const value = record[name];
    if (isWritten(value)) item[name] = asAttribute(value);
  }
  return item;
}

/** Returns the record that the document client reads from an item. */
export function asRecord(item: Item): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) record[name] = asNative(value);
  }
  return record;
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function';
}

function asAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (Number.isSafeInteger(value)) return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter(isWritten).map(asAttribute) };
  if (isPlain(value)) return { M: asItem(value) };
  return convertToAttr(value, { removeUndefinedValues: true });
}

function asNative(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined && value.N.length <= EXACT_CHARACTERS) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.L !== undefined) return value.L.map(asNative);
  if (value.M !== undefined) return asRecord(value.M);
  return convertToNative(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
