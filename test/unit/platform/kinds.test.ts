import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { CustodianDeployment, RailDeployment } from '#infra/stage/deployments.ts';
import { type Network, type NetworkSpec, network, networkSpecs, networks } from '#shared/networks/network.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { custodians } from '#shared/off-ramps/custodians/custodians.ts';
import { simulatedCustodian } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { paymentRails } from '#shared/pay-ins/rails/payment-rails.ts';
import { paymentMethod, type Rail, type RailSpec, railSpecs } from '#shared/pay-ins/rails/rail-specs.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { documentValues } from '#shared/platform/http/document.ts';

/* What the compiler refuses is part of these tests: `npm run check` fails when it takes one of the lines that it must not. */

test('a network has an entry, or the service does not compile', () => {
  // @ts-expect-error UNKNOWN has no entry
  const withAnother: Readonly<Record<Network | 'UNKNOWN', NetworkSpec>> = networkSpecs;
  expect(Object.keys(withAnother)).toEqual(networks);
  expect(Object.keys(withAnother)).toEqual(network.options);
});

test('an entry of a network says of what family it is, when it is final and how many confirmations count', () => {
  const { family, ...rules } = networkSpecs.POLYGON;
  // @ts-expect-error no family
  const withoutFamily: NetworkSpec = rules;
  // @ts-expect-error no rules
  const withoutRules: NetworkSpec = { family };
  expect({ ...withoutFamily, ...withoutRules }).toEqual(networkSpecs.POLYGON);
});

test('a rail is its entry, and what has none is no rail', () => {
  // @ts-expect-error UNKNOWN has no entry
  const another: Rail = 'UNKNOWN';
  expect(paymentMethod.options).toEqual(Object.keys(railSpecs));
  expect(paymentMethod.safeParse(another).success).toBe(false);
});

test.each(Object.entries<RailSpec>(railSpecs))(
  'the entry of the rail %s has bounds in which it can be used',
  (_, spec) => {
    const { collectsFrom, ...others } = spec;
    // @ts-expect-error it does not say what it collects from
    const incomplete: RailSpec = others;
    expect({ ...incomplete, collectsFrom }).toEqual(spec);
    expect(spec.minimum).toBeLessThan(spec.maximum);
  },
);

test('every network and rail is described to clients, or the service does not compile', () => {
  // @ts-expect-error B is not described
  const describe = () => documentValues('Letter', z.enum(['A', 'B']), 'A letter.', { A: 'The first.' });
  expect(describe).not.toThrow();
});

test('an adapter of a custodian answers all that is asked of a custodian, or the service does not compile', () => {
  const [readNotification, assignDepositAddress] = [async () => undefined, async () => ({ address: 'own' })];
  // @ts-expect-error it does not find transfers
  const incomplete: Custodian = { readNotification, assignDepositAddress };
  expect(Object.keys(incomplete)).toEqual(['readNotification', 'assignDepositAddress']);
  expect(Object.keys(custodians)).toContain(simulatedCustodian.name);
});

test('an adapter of a payment rail answers all that is asked of a rail, or the service does not compile', () => {
  const [find, readNotification] = [async () => undefined, async () => undefined];
  // @ts-expect-error it orders nothing
  const incomplete: PaymentRail = { find, readNotification };
  expect(Object.keys(incomplete)).toEqual(['find', 'readNotification']);
  expect(Object.keys(paymentRails)).toContain(simulatedRail.name);
});

test('a stage names an adapter that has an entry and tables that there are, or the service does not compile', () => {
  const unknown: readonly (CustodianDeployment | RailDeployment)[] = [
    simulatedCustodian,
    simulatedRail,
    // @ts-expect-error there is no custodian of this name
    { ...simulatedCustodian, name: 'unknown' } satisfies CustodianDeployment,
    // @ts-expect-error there is no rail of this name
    { ...simulatedRail, name: 'unknown' } satisfies RailDeployment,
    // @ts-expect-error there is no such table
    { ...simulatedCustodian, tables: { findTransfers: { others: ['GetItem'] } } } satisfies CustodianDeployment,
    // @ts-expect-error it does not say what ordering takes
    { ...simulatedRail, tables: { find: {} } } satisfies RailDeployment,
    // @ts-expect-error it does not say whether it is simulated
    { name: 'simulated', tables: { findTransfers: {} } } satisfies CustodianDeployment,
  ];
  expect(unknown).toHaveLength(7);
});
