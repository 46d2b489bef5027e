import type { Examples } from '../examples.ts';
import { PAYIN_ID } from './ids.ts';

const remark = (header: string) =>
  `For the provider only: signed over the raw body in the header \`${header}\`, no access token. Whatever is not 200 is to be sent again.`;

export const providerExamples: Examples = {
  'receive-custodian-notification': {
    request: { eventType: 'transaction.status.updated', data: { id: 'transfer-1' } },
    answer: { received: true },
    remark: remark('custodian-signature'),
  },
  'receive-rail-notification': {
    request: { reference: PAYIN_ID },
    answer: { received: true },
    remark: remark('rail-signature'),
  },
};
