import { expect, test } from 'vitest';
import { releaseDeclaration } from '#shared/off-ramps/store/hash-claims.ts';
import { OPERATION } from '#test/support/ids.ts';
import { HASH, OTHER_HASH } from '#test/support/off-ramp.ts';

test.each([
  ['nothing', {}, undefined],
  ['nothing, when it reports its first', {}, HASH],
  ['nothing that stays', { txHash: HASH }, HASH],
])('an operation gives back %s', (_, { txHash }: { txHash?: string }, staying) => {
  expect(releaseDeclaration('hashes', { operationId: OPERATION, txHash }, staying)).toEqual({});
});

test.each([undefined, OTHER_HASH])('an operation gives back its declared hash, when what stays is %s', (staying) => {
  expect(releaseDeclaration('hashes', { operationId: OPERATION, txHash: HASH }, staying)).toMatchObject({
    released: { Delete: { Key: { claim: `DECLARED#${HASH}` } } },
  });
});
