import * as z from 'zod/mini';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import { OPERATION_STATUS } from '#shared/off-ramps/incoming-off-ramp-status.ts';
import type { Consumer } from '#test/simulation/aws/aws-in-memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { sayOnBus } from './say-on-bus.ts';

/** The sandbox's own payouts. */
export const SANDBOX_PAYOUTS = 'off-ramps/complete-payout';

const messages = z.object({ Records: z.array(z.object({ body: z.string() })) });
const verified = z.object({ detail: z.object({ operationId: z.string() }) });

/** Of an off-ramp whose client never heard of its creation. */
const USUAL = { after: 60_000, status: 'COMPLETED' };

/**
 * A payout service in the place of the sandbox's: it learns of verified off-ramps as that does, and ends them in its own
 * time.
 */
export function createPayouts(outside: Pick<Outside, 'host' | 'memory' | 'putOnBus'>): Consumer {
  const { host, memory } = outside;

  async function payOut(operationId: string): Promise<void> {
    const known = memory.offRamps.find((offRamp) => offRamp.operationId === operationId);
    const payout = known === undefined ? USUAL : known.script.payout;
    if (payout === undefined) return;
    await host.schedule.clock.sleep(payout.after);
    const { status } = payout;
    sayOnBus(outside, { source: PAYOUTS, type: OPERATION_STATUS, detail: { operationId, status } });
  }

  return async (event) => {
    for (const { body } of messages.parse(event).Records) {
      const { operationId } = verified.parse(JSON.parse(body)).detail;
      host.schedule.start('payouts', () => payOut(operationId));
    }
    return { state: 'DONE', value: { batchItemFailures: [] } };
  };
}
