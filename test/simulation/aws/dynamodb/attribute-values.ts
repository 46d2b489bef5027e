import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item or a key, as DynamoDB keeps it. */
export type Item = Record<string, AttributeValue>;

import { Big } from 'big.js';
import { Unsupported } from './unsupported.ts';

/** DynamoDB's own equality: numbers by value, sets without order, everything else by type and content. */
export function isSame(one: AttributeValue, other: AttributeValue): boolean {
  if (one.S !== undefined || other.S !== undefined) return one.S === other.S;
  if (one.N !== undefined || other.N !== undefined) return isSameNumber(one.N, other.N);
  if (one.BOOL !== undefined || other.BOOL !== undefined) return one.BOOL === other.BOOL;
  if (one.NULL !== undefined || other.NULL !== undefined) return one.NULL === other.NULL;
  if (one.L !== undefined || other.L !== undefined) return isSameList(one.L, other.L);
  if (one.M !== undefined || other.M !== undefined) return isSameMap(one.M, other.M);
  if (one.SS !== undefined || other.SS !== undefined) return isSameSet(one.SS, other.SS);
  throw new Unsupported(`values of ${Object.keys(one)}`);
}

/** Negative, 0 or positive; `undefined` for what has no order. Texts go by UTF-16, as all of ours could. */
export function compare(one: AttributeValue, other: AttributeValue): number | undefined {
  if (one.S !== undefined && other.S !== undefined) return one.S < other.S ? -1 : Number(one.S > other.S);
  if (one.N !== undefined && other.N !== undefined) return new Big(one.N).cmp(other.N);
  return undefined;
}

export function sum(one: string, other: string): AttributeValue {
  return { N: new Big(one).plus(other).toFixed() };
}

export function difference(one: string, other: string): AttributeValue {
  return { N: new Big(one).minus(other).toFixed() };
}

function isSameNumber(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || new Big(one).eq(other);
}

function isSameList(one: readonly AttributeValue[] | undefined, other: readonly AttributeValue[] | undefined): boolean {
  if (one === undefined || other === undefined || one.length !== other.length) return false;
  return one.every((value, position) => isSameOrNone(value, other[position]));
}

function isSameMap(
  one: Readonly<Record<string, AttributeValue>> | undefined,
  other: Readonly<Record<string, AttributeValue>> | undefined,
): boolean {
  if (one === undefined || other === undefined) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSameOrNone(one[name], other[name]));
}

function isSameOrNone(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSame(one, other);
}

function isSameSet(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const members = new Set(other);
  return new Set(one).size === members.size && one.every((member) => members.has(member));
}
