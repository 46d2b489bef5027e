import { expect, test } from 'vitest';
import { type Network, networks } from '#shared/networks/network.ts';
import { type NetworkSpec, networkSpecs } from '#shared/networks/network-specs.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { type CustodianName, custodianNames } from '#shared/off-ramps/custodians/custodian-name.ts';
import { custodians } from '#shared/off-ramps/custodians/custodians.ts';
import { type Rail, rails } from '#shared/pay-ins/payin.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { type PaymentRailName, paymentRailNames } from '#shared/pay-ins/rails/payment-rail-name.ts';
import { paymentRails } from '#shared/pay-ins/rails/payment-rails.ts';
import { type RailSpec, railSpecs } from '#shared/pay-ins/rails/rail-specs.ts';
import type { Clock } from '#shared/platform/clock.ts';

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

test('an adapter of a custodian has an entry, or the service does not compile', () => {
  // @ts-expect-error `another` has no entry
  const withAnother: Readonly<Record<CustodianName | 'another', () => Custodian>> = custodians;
  expect(Object.keys(withAnother)).toEqual(custodianNames);
});

test('an adapter of a payment rail has an entry, or the service does not compile', () => {
  // @ts-expect-error `another` has no entry
  const withAnother: Readonly<Record<PaymentRailName | 'another', (clock: Clock) => PaymentRail>> = paymentRails;
  expect(Object.keys(withAnother)).toEqual(paymentRailNames);
});
