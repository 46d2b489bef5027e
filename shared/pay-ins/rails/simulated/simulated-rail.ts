import type { RailAdapter } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSimulatedPayments } from './payments.ts';

const payments = (clock: Clock) => createSimulatedPayments(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), clock);

export const simulatedRailAdapter: RailAdapter = {
  methods: {
    PSE: { requires: [], hasPage: true },
    NEQUI: { requires: [], hasPage: false },
    DAVIPLATA: { requires: [], hasPage: false },
  },
  order: (clock) => payments(clock).order,
  find: (clock) => payments(clock).find,
  listPayments: (clock) => payments(clock).listPayments,
};
