import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { CustodianDeployment, RailDeployment } from '#infra/stage/deployments.ts';
import { type Network, type NetworkSpec, network, networkSpecs, networks } from '#shared/networks/network.ts';
import { simulatedCustodian } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import {
  type PaymentMethod,
  type PaymentMethodSpec,
  paymentMethod,
  paymentMethods,
} from '#shared/pay-ins/payment-methods.ts';
import { paymentRails } from '#shared/pay-ins/rails/payment-rails.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { wompiRail } from '#shared/pay-ins/rails/wompi/wompi-deployment.ts';
import { documentValues } from '#shared/platform/http/document.ts';

/* These tests include errors of the compiler: `npm run check` fails if a line that is marked as an error compiles. */

test('a network without an entry does not compile', () => {
  // @ts-expect-error UNKNOWN has no entry
  const withAnother: Readonly<Record<Network | 'UNKNOWN', NetworkSpec>> = networkSpecs;
  expect(Object.keys(withAnother)).toEqual(networks);
  expect(Object.keys(withAnother)).toEqual(network.options);
});

test('every rail has an entry, and a method without an entry does not compile', () => {
  // @ts-expect-error UNKNOWN has no entry
  const another: PaymentMethod = 'UNKNOWN';
  expect(paymentMethod.options).toEqual(Object.keys(paymentMethods));
  expect(paymentMethod.safeParse(another).success).toBe(false);
});

test.each(Object.entries<PaymentMethodSpec>(paymentMethods))(
  'the entry of the rail %s has bounds in which it can be used',
  (_, spec) => {
    const { collectsFrom, ...others } = spec;
    // @ts-expect-error it does not say what it collects from
    const incomplete: PaymentMethodSpec = others;
    expect({ ...incomplete, collectsFrom }).toEqual(spec);
    expect(spec.minimum).toBeLessThan(spec.maximum);
  },
);

test('every network and rail is described to clients, or the service does not compile', () => {
  // @ts-expect-error B is not described
  const describe = () => documentValues('Letter', z.enum(['A', 'B']), 'A letter.', { A: 'The first.' });
  expect(describe).not.toThrow();
});

test('a stage names an adapter that has an entry and tables that there are, or the service does not compile', () => {
  const unknown: readonly (CustodianDeployment | RailDeployment)[] = [
    simulatedCustodian,
    simulatedRail,
    wompiRail({ url: 'https://sandbox.wompi.co', isTest: true }),
    // @ts-expect-error there is no custodian of this name
    { ...simulatedCustodian, name: 'unknown' } satisfies CustodianDeployment,
    // @ts-expect-error there is no rail of this name
    { ...simulatedRail, name: 'unknown' } satisfies RailDeployment,
    {
      ...simulatedCustodian,
      // @ts-expect-error there is no such table
      members: { ...simulatedCustodian.members, findTransfer: { tables: { others: ['GetItem'] } } },
    } satisfies CustodianDeployment,
    // @ts-expect-error it does not say what ordering takes
    { ...simulatedRail, tables: { find: {} } } satisfies RailDeployment,
    // @ts-expect-error it does not say whether it is simulated
    { name: 'simulated', members: simulatedCustodian.members } satisfies CustodianDeployment,
  ];
  expect(unknown).toHaveLength(8);
  expect(Object.keys(paymentRails)).toContain(simulatedRail.name);
});
