import { expect, test } from 'vitest';
import { type Network, networks } from '#shared/domain/network.ts';
import { type Rail, rails } from '#shared/domain/payin.ts';
import { type RailSpec, railSpecs } from '#shared/domain/rail-specs.ts';
import { type NetworkSpec, networkSpecs } from '#shared/networks/network-specs.ts';

/* What the compiler refuses is part of these tests: `npm run check` fails when it takes one of the lines that it must not. */

test('a network has an entry, or the service does not compile', () => {
  // @ts-expect-error NEAR has no entry
  const withAnother: Readonly<Record<Network | 'NEAR', NetworkSpec>> = networkSpecs;
  expect(Object.keys(withAnother)).toEqual(networks);
});

test('a rail has an entry, or the service does not compile', () => {
  // @ts-expect-error BREB has no entry
  const withAnother: Readonly<Record<Rail | 'BREB', RailSpec>> = railSpecs;
  expect(Object.keys(withAnother)).toEqual(rails);
});
