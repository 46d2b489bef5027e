import type { HttpCall } from '#test/simulation/aws/gateway.ts';
import type { KnownOffRamp, KnownPayin, KnownWebhook } from '#test/simulation/world/memory.ts';
import type { ClientScript } from '#test/simulation/world/script/script.ts';

export interface Aim {
  readonly own: ClientScript;
  /** An off-ramp of another client. */
  readonly victim: KnownOffRamp;
  readonly victimsPayin: KnownPayin | undefined;
  readonly victimsWebhook: KnownWebhook | undefined;
}

const ADMIN = '/api/v1/admin';

const post = (path: string, body?: unknown): HttpCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});
const get = (path: string): HttpCall => ({ method: 'GET', path });

const ofVictim = ({ victim }: Aim) => `${ADMIN}/operation/${victim.script.userId}/withdrawal`;
const offRampOf = (aim: Aim) => `${ofVictim(aim)}/${aim.victim.operationId}`;
const underOwnUser = ({ own, victim }: Aim) =>
  `${ADMIN}/operation/${own.users[0].userId}/withdrawal/${victim.operationId}`;
const payinsOf = ({ victim }: Aim) => `${ADMIN}/fiats/${victim.script.userId}/payin`;
const payinOf = ({ victimsPayin }: Aim, userId = 'nobody') =>
  `${ADMIN}/fiats/${userId}/payin/${victimsPayin?.payinId ?? 'none'}`;
const webhooksOf = ({ victim }: Aim) => `/api/webhooks/${victim.script.clientId}`;
const webhookOf = ({ own, victimsWebhook }: Aim) =>
  `/api/webhooks/${own.clientId}/${victimsWebhook?.webhookId ?? 'none'}`;
const withdrawal = ({ victim: { script } }: Aim, walletId = script.wallet.walletId) => ({
  originExternalWalletId: walletId,
  supportedTokenId: script.asset.tokenId,
  amount: script.amount,
});
const payin = { amount: 5000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3001234567' };

/** Requests that must be refused: for another client's data, or with a body that no client may send. */
export const deeds = {
  READ_OPERATION: (aim: Aim) => get(offRampOf(aim)),
  READ_OPERATION_AS_OWN: (aim: Aim) => get(underOwnUser(aim)),
  READ_HASH: (aim: Aim) => get(`${offRampOf(aim)}/hash`),
  READ_HASH_AS_OWN: (aim: Aim) => get(`${underOwnUser(aim)}/hash`),
  LIST_OPERATIONS: (aim: Aim) => get(ofVictim(aim)),
  SUBMIT: (aim: Aim) => post(`${offRampOf(aim)}/hash`, { txHash: aim.victim.script.payments[0]?.txHash ?? '' }),
  SUBMIT_AS_OWN: (aim: Aim) => post(`${underOwnUser(aim)}/hash`, { txHash: `0x${'a'.repeat(64)}` }),
  CANCEL: (aim: Aim) => post(`${offRampOf(aim)}/cancel`),
  CANCEL_AS_OWN: (aim: Aim) => post(`${underOwnUser(aim)}/cancel`),
  CREATE: (aim: Aim) => post(ofVictim(aim), withdrawal(aim)),
  CREATE_FROM_WALLET: (aim: Aim) => post(`${ADMIN}/operation/${aim.own.users[0].userId}/withdrawal`, withdrawal(aim)),
  COLLECT: (aim: Aim) => post(payinsOf(aim), payin),
  READ_PAYIN: (aim: Aim) => get(payinOf(aim, aim.victimsPayin?.script.userId)),
  READ_PAYIN_AS_OWN: (aim: Aim) => get(payinOf(aim, aim.own.users[0].userId)),
  LIST_PAYINS: (aim: Aim) => get(payinsOf(aim)),
  LIST_WEBHOOKS: (aim: Aim) => get(webhooksOf(aim)),
  REGISTER_WEBHOOK: (aim: Aim) => post(webhooksOf(aim), { url: 'https://thief.example/', process: 'ramp' }),
  DEACTIVATE_WEBHOOK: (aim: Aim): HttpCall => ({ method: 'DELETE', path: webhookOf(aim) }),
  ROTATE_SECRET: (aim: Aim) => post(`${webhookOf(aim)}/secret`),
  LIST_DELIVERIES: (aim: Aim) => get(`${webhookOf(aim)}/deliveries`),
  REPLAY: (aim: Aim) => post(`${webhookOf(aim)}/replay`, { since: '2026-08-03T12:00:00Z' }),
  HUGE_BODY: (aim: Aim) =>
    post(`${ADMIN}/fiats/${aim.own.users[0].userId}/payin`, { ...payin, bank: 'x'.repeat(300_000) }),
  BROKEN_BODY: (aim: Aim) => post(`${ADMIN}/fiats/${aim.own.users[0].userId}/payin`, '{"amount": 5000,'),
  REPEATED_KEY: (aim: Aim) =>
    post(`${ADMIN}/fiats/${aim.own.users[0].userId}/payin`, `{"amount":1,${JSON.stringify(payin).slice(1)}`),
  FORGED_CURSOR: (aim: Aim) => get(`${ADMIN}/operation/${aim.own.users[0].userId}/withdrawal?cursor=bm9uZQ`),
  FORGED_TOKEN: (aim: Aim) => get(offRampOf(aim)),
  EXPIRED_TOKEN: (aim: Aim) => get(`/api/webhooks/${aim.own.clientId}`),
  NO_TOKEN: (aim: Aim) => get(offRampOf(aim)),
} as const satisfies Readonly<Record<string, (aim: Aim) => HttpCall>>;

export type Deed = keyof typeof deeds;
