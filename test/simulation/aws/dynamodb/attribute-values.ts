import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Big } from 'big.js';
import { compareTexts } from './sorted.ts';
import { Unsupported } from './unsupported.ts';

/** An item or a key in DynamoDB's format. Never mutated: a write makes a new one. */
export type Item = Record<string, AttributeValue>;

/** Numbers with at most this many characters are computed without loss. */
const EXACT_DIGITS = 15;

/** DynamoDB's own equality: numbers by value, sets without order, everything else by type and content. */
export function isSame(one: AttributeValue, other: AttributeValue): boolean {
  if (one === other) return true;
  if (one.S !== undefined || other.S !== undefined) return one.S === other.S;
  if (one.N !== undefined || other.N !== undefined) return isSameNumber(one.N, other.N);
  if (one.BOOL !== undefined || other.BOOL !== undefined) return one.BOOL === other.BOOL;
  if (one.NULL !== undefined || other.NULL !== undefined) return one.NULL === other.NULL;
  if (one.L !== undefined || other.L !== undefined) return isSameList(one.L, other.L);
  if (one.M !== undefined || other.M !== undefined) return isSameMap(one.M, other.M);
  if (one.SS !== undefined || other.SS !== undefined) return isSameSet(one.SS, other.SS);
  throw new Unsupported(`values of ${Object.keys(one)}`);
}

export function isSameItem(one: Readonly<Item>, other: Readonly<Item>): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => isSameOrNone(one[name], other[name]));
}

/** Returns a negative number, 0 or a positive one; `undefined` for values without an order. */
export function compare(one: AttributeValue, other: AttributeValue): number | undefined {
  if (one.S !== undefined && other.S !== undefined) return compareTexts(one.S, other.S);
  if (one.N === undefined || other.N === undefined) return undefined;
  return areExact(one.N, other.N) ? Number(one.N) - Number(other.N) : new Big(one.N).cmp(other.N);
}

export function sum(one: string, other: string): AttributeValue {
  return { N: areWhole(one, other) ? String(Number(one) + Number(other)) : new Big(one).plus(other).toFixed() };
}

export function difference(one: string, other: string): AttributeValue {
  return { N: areWhole(one, other) ? String(Number(one) - Number(other)) : new Big(one).minus(other).toFixed() };
}

/** Returns an item with only these attributes, of those that it has. */
export function pickAttributes(item: Item, names: readonly string[]): Item {
  const part: Item = {};
  for (const name of names) {
    const value = item[name];
    if (value !== undefined) part[name] = value;
  }
  return part;
}

function areExact(one: string, other: string): boolean {
  return one.length <= EXACT_DIGITS && other.length <= EXACT_DIGITS;
}

function areWhole(one: string, other: string): boolean {
  return areExact(one, other) && isWhole(Number(one)) && isWhole(Number(other));
}

function isWhole(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 10 ** EXACT_DIGITS;
}

function isSameNumber(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || new Big(one).eq(other);
}

function isSameList(one: readonly AttributeValue[] | undefined, other: readonly AttributeValue[] | undefined): boolean {
  if (one === undefined || other === undefined || one.length !== other.length) return false;
  return one.every((value, position) => isSameOrNone(value, other[position]));
}

function isSameMap(one: Readonly<Item> | undefined, other: Readonly<Item> | undefined): boolean {
  return one !== undefined && other !== undefined && isSameItem(one, other);
}

function isSameOrNone(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSame(one, other);
}

function isSameSet(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const members = new Set(other);
  return new Set(one).size === members.size && one.every((member) => members.has(member));
}
