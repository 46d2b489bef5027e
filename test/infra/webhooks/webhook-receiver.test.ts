import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '#infra/local/webhook-receiver.ts';
import { signedHeaders } from '#shared/webhooks/http-client/sign-webhook.ts';

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
const [ours, theirs] = [secretOf('ours'), secretOf('theirs')];
const data = { operationId: 'o-1', status: 'COMPLETED', previousStatus: 'PENDING' };
const completed = JSON.stringify({ type: 'ramp.operation.status_changed', timestamp: '2026-11-21T14:03:11Z', data });

describe('the receiver of npm start', () => {
  const said: string[] = [];
  let receiver: WebhookReceiver;
  const send = async (secret: string, id: string, body = completed) => {
    const headers = signedHeaders([secret], { id, at: new Date(), body });
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  };

  beforeAll(async () => {
    receiver = await startWebhookReceiver({ say: (line) => said.push(line), step: (_, work) => work(() => undefined) });
  });
  afterAll(() => receiver.stop());

  test('refuses everything before it knows its secret, and says so', async () => {
    expect(await send(ours, 'evt_0')).toBe(401);
    expect(said.splice(0)).toEqual([expect.stringContaining('does not verify: answered 401')]);
  });

  test('accepts and prints a delivery that verifies; a repeated delivery counts as the same event', async () => {
    receiver.trust(ours);
    expect([await send(ours, 'evt_1'), await send(theirs, 'evt_2'), await send(ours, 'evt_1')]).toEqual([
      204, 401, 204,
    ]);
    expect(said.splice(0)).toEqual([
      expect.stringMatching(
        /^ {2}\d\d:\d\d:\d\dZ {2}ramp\.operation\.status_changed {2}PENDING → COMPLETED {2}operation o-1 {2}evt_1 {2}verified ✓$/,
      ),
      expect.stringContaining('does not verify: answered 401'),
      expect.stringMatching(/evt_1 {2}verified ✓ \(again\)$/),
    ]);
    expect(receiver.received()).toEqual([{ type: 'ramp.operation.status_changed', data }]);
  });

  test('says why a deposit funds nothing', async () => {
    const reasons = ['WRONG_TOKEN', 'WRONG_AMOUNT'];
    const body = JSON.stringify({
      type: 'ramp.deposit.status_changed',
      timestamp: '2026-11-21T14:03:11Z',
      data: { operationId: 'o-1', status: 'UNMATCHED', previousStatus: 'DETECTED', reasons },
    });
    expect(await send(ours, 'evt_7', body)).toBe(204);
    const line = 'DETECTED → UNMATCHED  WRONG_TOKEN, WRONG_AMOUNT  operation o-1  evt_7';
    expect(said.splice(0)).toEqual([expect.stringContaining(line)]);
  });
});
