import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asItem, asRecord } from './document-values.ts';

const value = fc.anything({
  key: fc.string().filter((name) => name !== '__proto__' && name !== 'constructor'),
  values: [
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom(0, -0, 1.5, -2.25, 1e-7, 123456789012345.6),
    fc.bigInt(),
    fc.uint8Array({ minLength: 1 }),
    fc.constant(new Set(['p', 'q'])),
  ],
});
const record = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__'),
  value,
  { noNullPrototype: true },
);

test('a record becomes the item that the SDK makes of it, and the item the record that the SDK reads', () => {
  fc.assert(
    fc.property(record, (one) => {
      const item = marshall(one, { removeUndefinedValues: true });
      expect(asItem(one)).toEqual(item);
      expect(asRecord(item)).toEqual(unmarshall(item));
    }),
  );
});

test('what the SDK does not write is not written', () => {
  expect(() => asItem({ at: new Date(0) })).toThrow('Unsupported type');
  expect(() => asItem({ number: Number.NaN })).toThrow('not allowed');
  expect(() => asItem({ set: new Set() })).toThrow('non-empty');
});
