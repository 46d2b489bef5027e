import * as z from 'zod/mini';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import { OPERATION_STATUS } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import type { Consumer } from '#test/simulation/aws/aws-in-memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { PayoutScript } from '#test/simulation/world/script/script.ts';
import { sayOnBus } from './say-on-bus.ts';

/** The function of the sandbox's own payouts. */
export const SANDBOX_PAYOUTS = 'off-ramps/simulate-payout';

const messages = z.object({ Records: z.array(z.object({ body: z.string() })) });
const verified = z.object({ detail: z.object({ operationId: z.string() }) });

/** The payout of an off-ramp whose client never received the answer to its creation. */
const USUAL: PayoutScript = { after: 60_000, status: 'COMPLETED' };

/**
 * Replaces the sandbox's payout service: it receives verified off-ramps in the same way, pays each once even if the
 * event repeats, and reports at its own pace.
 */
export function createPayouts(outside: Pick<Outside, 'host' | 'memory' | 'putOnBus'>): Consumer {
  const { host, memory } = outside;
  const { clock } = host.schedule;
  const known = new Set<string>();

  function pay(operationId: string): string {
    const reference = `payout ${memory.payouts.length + 1}`;
    memory.payouts.push({ at: clock.now().getTime(), operationId, reference, isBack: false });
    host.trace(() => `pays out ${operationId} by ${reference}`);
    return reference;
  }

  function takeBack(operationId: string, reference: string): void {
    for (const payout of memory.payouts) if (payout.reference === reference) payout.isBack = true;
    const eventId = `said ${memory.notices.length + 1}`;
    const detail = { operationId, eventId, payout: { reference }, reason: 'The account is closed.' };
    sayOnBus(outside, { source: PAYOUTS, type: 'operation.payout_returned', detail });
  }

  function say(operationId: string, status: PayoutScript['status'], reference?: string): void {
    const eventId = `said ${memory.notices.length + 1}`;
    const payout = reference === undefined ? {} : { payout: { reference } };
    sayOnBus(outside, { source: PAYOUTS, type: OPERATION_STATUS, detail: { operationId, eventId, status, ...payout } });
  }

  async function payOut(operationId: string, script: PayoutScript): Promise<void> {
    const { after, status, isPaidAfterAll = false, isPaidTwice = false, comesBack } = script;
    await clock.sleep(after);
    const reference = status === 'COMPLETED' ? pay(operationId) : undefined;
    say(operationId, status, reference);
    await clock.sleep(after);
    if (reference !== undefined && comesBack !== undefined) takeBack(operationId, reference);
    if (isPaidAfterAll || isPaidTwice || comesBack?.isPaidAgain === true)
      say(operationId, 'COMPLETED', pay(operationId));
  }

  return async (event) => {
    for (const { body } of messages.parse(event).Records) {
      const { operationId } = verified.parse(JSON.parse(body)).detail;
      if (known.has(operationId)) continue;
      known.add(operationId);
      const ofOffRamp = memory.offRamps.find((offRamp) => offRamp.operationId === operationId);
      const payout = ofOffRamp === undefined ? USUAL : ofOffRamp.script.payout;
      if (payout !== undefined) host.schedule.start('payouts', () => payOut(operationId, payout));
    }
    return { state: 'DONE', value: { batchItemFailures: [] } };
  };
}
