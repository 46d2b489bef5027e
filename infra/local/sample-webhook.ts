import { type LocalOutputs, writeOutputs } from '#infra/cli/local-outputs.ts';
import type { Call } from '#sdk/connect.ts';
import type { Progress } from './progress.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** A receiver on this machine, registered as the demo client's webhook and known from `.local/outputs.json`. */
export async function startSampleWebhook(
  outputs: LocalOutputs,
  { call, clientId, progress }: { readonly call: Call; readonly clientId: string; readonly progress: Progress },
): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(progress);
  try {
    const order = { url: receiver.url, process: 'ramp' } as const;
    const { body } = await call('POST /api/webhooks/{clientId}', { path: { clientId }, body: order });
    receiver.trust(body.secret);
    await writeOutputs({ ...outputs, webhook: { id: body.id, url: body.url, secret: body.secret } });
    return receiver;
  } catch (error) {
    await receiver.stop();
    throw error;
  }
}
