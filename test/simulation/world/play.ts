import { at } from './clients/in-time.ts';
import { takeOffRamp } from './clients/off-ramp.ts';
import { takePayin } from './clients/pay-in.ts';
import { createSession } from './clients/session.ts';
import { keepWebhook } from './clients/webhook.ts';
import type { Outside } from './outside.ts';
import { startPayers } from './providers/payers.ts';
import type { Script } from './script/script.ts';
import { quieten } from './swarm.ts';

/** Starts everybody outside of the service. */
export function play(script: Script, outside: Outside): void {
  const { schedule } = outside.host;
  startPayers(outside, script.payins);
  for (const client of script.clients) {
    const session = createSession(outside, client);
    const own = <Act extends { readonly client: typeof client }>(acts: readonly Act[]) =>
      acts.filter((act) => act.client === client);
    for (const webhook of client.webhooks) {
      schedule.start(`webhook of ${client.name}`, () => keepWebhook(outside, session, webhook));
    }
    for (const offRamp of own(script.offRamps)) {
      schedule.start(`${client.name} with ${offRamp.name}`, () => takeOffRamp(outside, session, offRamp));
    }
    for (const payin of own(script.payins)) {
      schedule.start(`${client.name} with ${payin.name}`, () => takePayin(outside, session, payin));
    }
  }
  schedule.start('quiet end', async () => {
    await at(outside, script.quietFrom);
    quieten(outside.swarm);
  });
}
