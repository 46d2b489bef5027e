import { PAYIN_ID } from '#infra/api/openapi/example-ids.ts';
import type { Examples } from '#infra/api/openapi/examples.ts';

const payin = {
  id: PAYIN_ID,
  status: 'CASHININIT',
  currency: 'COP',
  amount: 150000,
  paymentMethod: 'PSE',
  pseLink: `https://pse.example/pay/${PAYIN_ID}`,
  externalReference: 'order-4711',
};

const createdAt = '2026-11-21T14:00:00.000Z';

const completed = {
  ...payin,
  status: 'COMPLETED',
  createdAt,
  statusHistory: [
    { status: 'CASHININIT', at: createdAt },
    { status: 'COMPLETED', at: '2026-11-21T14:03:11.482Z' },
  ],
};

export const payinExamples: Examples = {
  'create-payin': {
    request: {
      amount: 150000,
      currency: 'COP',
      paymentMethod: 'PSE',
      bank: '1007',
      redirectUrl: 'https://client.example/paid',
      externalReference: 'order-4711',
      expirationDate: '2026-11-22T18:00:00-05:00',
    },
    answer: payin,
    remark:
      'PSE needs the code of an active bank and answers with the link that the user opens to pay. NEQUI and DAVIPLATA need a Colombian mobile number: phone, or else the one that the user registered.',
  },
  'get-payin': {
    answer: completed,
    remark:
      'COMPLETED is final. A pay-in that has FAILED or EXPIRED can still be completed, when money comes late: the webhook tells it.',
  },
  'list-payins': {
    answer: { payins: [completed], nextCursor: PAYIN_ID },
  },
};
