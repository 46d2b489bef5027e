import { PAYIN_ID, USER_ID } from '#infra/platform/example-ids.ts';
import { costlyCallLimits, LIST_LIMITS, NOTIFICATION_LIMITS, type Route } from '#infra/platform/route.ts';
import { acceptsOrders, railsOf } from '#infra/stage/stages.ts';
import {
  createPayinContract,
  getPayinContract,
  listClientPayinsContract,
  listPayinsContract,
} from '#shared/pay-ins/pay-in-contract.ts';
import { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';

const payin = {
  id: PAYIN_ID,
  status: 'CASHININIT',
  currency: 'COP',
  amount: 150000,
  paymentMethod: 'PSE',
  pseLink: `https://pse.example/pay/${PAYIN_ID}`,
  paymentUrl: `https://pse.example/pay/${PAYIN_ID}`,
  externalReference: 'order-4711',
};

const createdAt = '2026-11-21T14:00:00.000Z';

const completed = {
  ...payin,
  userId: USER_ID,
  status: 'COMPLETED',
  createdAt,
  sequence: 3,
  statusHistory: [
    { status: 'CASHININIT', at: createdAt },
    { status: 'COMPLETED', at: '2026-11-21T14:03:11.482Z' },
  ],
};

/** Megabytes of a function that mostly waits for the rail: waiting costs as much as working. */
const WAITS_FOR_RAIL = 256;

/** Pay-ins: fiat that clients collect from their users. */
export const payInRoutes: readonly Route[] = [
  {
    contract: createPayinContract,
    countsAs: 'payIns',
    throttling: costlyCallLimits,
    tables: {
      users: ['GetItem'],
      parameters: ['Query'],
      payins: ['GetItem', 'PutItem', 'UpdateItem'],
      events: ['PutItem', 'Query'],
    },
    permissions: ['order payments', 'find payments'],
    environment: (stage) => ({
      PAYIN_BOUNDS: JSON.stringify(stage.payinBounds),
      ACCEPTED_METHODS: JSON.stringify(
        Object.entries(stage.rails).flatMap(([method, rail]) => (acceptsOrders(stage, rail) ? method : [])),
      ),
      ALLOWS_HTTP_REDIRECT: String(stage.name !== 'prod'),
    }),
    hasVersions: true,
    memoryMegabytes: WAITS_FOR_RAIL,
    impact: 'Clients cannot collect fiat from their users.',
    example: {
      request: {
        amount: 150000,
        currency: 'COP',
        paymentMethod: 'PSE',
        bank: '1007',
        redirectUrl: 'https://client.example/paid',
        externalReference: 'order-4711',
      },
      answer: payin,
      remark:
        "PSE needs the code of an active bank and answers with the link that the user opens to pay. NEQUI and DAVIPLATA need a Colombian mobile number: phone, or by default the user's registered phone. Some rails need more of the payer, which the operators register: 422 `PAYER_DATA_MISSING` names what is missing.",
    },
  },
  {
    contract: getPayinContract,
    tables: { payins: ['GetItem'] },
    impact: 'Clients cannot read single pay-ins; payments continue.',
    example: {
      answer: completed,
      remark:
        'COMPLETED is final: when the rail takes money back, the status stays, and reversedAt says since when. A pay-in that is FAILED or EXPIRED can still become COMPLETED when money arrives late; webhooks receive that event.',
    },
  },
  {
    contract: listPayinsContract,
    throttling: LIST_LIMITS,
    tables: { users: ['GetItem'], payins: ['BatchGetItem', 'Query:byUser', 'Query:byReference'] },
    impact: 'Clients cannot list pay-ins; payments continue.',
    example: {
      answer: { payins: [completed], nextCursor: PAYIN_ID },
    },
  },
  {
    contract: listClientPayinsContract,
    throttling: LIST_LIMITS,
    tables: { payins: ['BatchGetItem', 'Query:byClient', 'Query:byClientReference'] },
    impact: 'Clients cannot list the pay-ins of all their users; payments continue.',
    example: {
      answer: { payins: [completed], nextCursor: PAYIN_ID },
      remark: 'What has changed since you last looked is in the feed of events.',
    },
  },
  {
    contract: receiveRailNotificationContract,
    tables: { payins: ['GetItem', 'UpdateItem'], events: ['PutItem', 'Query'] },
    permissions: ['verify rail notifications', 'find payments'],
    throttling: NOTIFICATION_LIMITS,
    ownPaths: (stage) => railsOf(stage).map(({ name }) => name),
    concurrencyGroup: 'notifications',
    hasVersions: true,
    memoryMegabytes: WAITS_FOR_RAIL,
    impact: 'Paid pay-ins are noticed late: by the poll of open pay-ins instead of by notification.',
  },
];

/** Never deployed to production. */
export const payInSandboxRoutes: readonly Route[] = [
  {
    contract: simulatePayinContract,
    tables: { payins: ['GetItem'], simulatedPayments: ['UpdateItem'] },
    permissions: ['sign rail notifications'],
    impact: 'Developers of clients cannot simulate the end of pay-ins, nor a return of their money.',
    example: {
      request: { status: 'COMPLETED' },
      answer: { id: PAYIN_ID, status: 'COMPLETED' },
    },
  },
];
