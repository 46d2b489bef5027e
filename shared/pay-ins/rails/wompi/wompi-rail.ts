import type { PayerField, RailAdapter } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type Acceptances, createAcceptances, createPrepareAtWompi } from './wompi-acceptances.ts';
import { wompiFromSettings } from './wompi-client.ts';
import { createOrderAtWompi } from './wompi-order.ts';
import { createFindAtWompi, createListAtWompi, createListBanksAtWompi } from './wompi-payments.ts';

/** Milliseconds for one call: as many as the boundary allows for all calls of a member. */
const FOR_A_LOOK_UP = 3000;
const FOR_AN_ORDER = 8000;
const FOR_A_LIST = 10_000;

/** Every method requires these: Wompi emails the payer, and orders state that the payer has accepted the contracts. */
const always = ['email', 'acceptedTermsAt'] as const satisfies readonly PayerField[];
const document = ['documentType', 'documentNumber'] as const satisfies readonly PayerField[];

/** Shared in the process, so that an order uses the tokens that were prepared for it. */
let shared: Acceptances | undefined;

function acceptancesOf(clock: Clock): Acceptances {
  shared ??= createAcceptances(clock);
  return shared;
}

/** Wompi Colombia (docs/providers.md). */
export const wompiRailAdapter: RailAdapter = {
  methods: {
    PSE: { requires: [...always, ...document, 'fullName', 'phone', 'personType'], hasPage: true },
    NEQUI: { requires: always, hasPage: false },
    DAVIPLATA: { requires: [...always, ...document], hasPage: true },
  },
  prepare: (clock) => createPrepareAtWompi(wompiFromSettings(clock, FOR_A_LOOK_UP), acceptancesOf(clock)),
  order: (clock) => createOrderAtWompi(wompiFromSettings(clock, FOR_AN_ORDER), acceptancesOf(clock)),
  find: (clock) => createFindAtWompi(wompiFromSettings(clock, FOR_A_LOOK_UP), clock),
  listPayments: (clock) => createListAtWompi(wompiFromSettings(clock, FOR_A_LIST)),
  listBanks: (clock) => createListBanksAtWompi(wompiFromSettings(clock, FOR_A_LIST)),
};
